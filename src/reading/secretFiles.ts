import { basename, dirname } from "node:path/posix";
import { isInside, realPathOf } from "../files/realPath.ts";

/** Additions to the names of copies by editors, tools, and people: `.env~` is as secret as `.env`. */
const copyEnding =
  /(?:~|#|[._-](?:bak|backup|bck|orig|original|old|saved?|copy|te?mp|sw[a-p]|prev|previous|\d{1,14})|[ _-]copy(?: ?\d+)?| ?\(\d+\)|::?\$data|[. ]+)$/;
const copyStart = /^(?:\.?#|copy of |~\$?)/;

/** Endings of data files. Source files may handle secrets, but are assumed to contain none. */
const dataEnding =
  /\.(?:json[c5]?|ya?ml|toml|ini|conf|cfg|config|properties|env|xml|[ct]sv|txt|plist|enc|sops|age|asc|gpg|db|sqlite3?)$/;

/** Names of environments. */
const stage = "(?:prod(?:uction)?|dev(?:elopment)?|stag(?:e|ing)|test|live|local)";

/** Lowercase names of files with passwords, tokens, or private keys. */
const names: readonly RegExp[] = [
  // Sample files contain no secrets.
  /^\.env(?!\.(?:example|sample|template|dist|defaults)$)(?:rc|[._-].*)?$/,
  /^\.dev\.vars(?!\.example$)/,
  new RegExp(`\\.env$|^env[._-]${stage}(?:[._-]local)?$`),
  /\.(?:pem|key|p8|p12|pfx|pkcs(?:8|12)|ppk|jks|jceks|keystore|bks|kdbx?|agekey|keytab|ovpn|kubeconfig|credentials?|secrets?|(?:tfstate|tfvars)(?:\.json)?)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk)(?!.*\.pub$)/,
  /^(?:.*[._-])?(?:gradle|local|key(?:store)?|signing|release)\.properties$/,
  /^\.?(?:rclone|wg\d*|wpa_supplicant)\.conf$|^\.?ngrok\.yml$|^\.databrickscfg$|^wallet\.dat$/,
  /^(?:\.?(?:npmrc|yarnrc(?:\.ya?ml)?|pypirc|netrc|authinfo|msmtprc|smbcredentials|git-credentials|htpasswd|htdigest|pgpass|my\.cnf|mylogin\.cnf|dockercfg|dockerconfigjson|vault-token|vault[._-]pass(?:word)?(?:[._-]file)?(?:\.txt)?|boto|s3cfg|terraformrc|curlrc|wgetrc|sentryclirc|\w+_history)|_netrc|pgpass\.conf|terraform\.rc|auth\.json|local\.settings\.json|wp-config\.php|kaggle\.json|sftp(?:-config)?\.json|cookies\.txt)$/,
  /^(?:arduino_)?secrets\.(?!(?:[cm]?tsx?|md|tf|go|rs|java|kt|cs)$)/,
  /^(?:.*[._-])?(?:service[._-]?account|client[._-]secrets?|firebase-adminsdk).*\.json$/,
  /^(?:.*[._-])?token(?:\.json|\.txt)?$/,
];

/** Names of data files with secrets, without their endings. */
const dataNames: readonly RegExp[] = [
  /(?:^|[._-])secrets?(?:[._-].*)?$/,
  new RegExp(
    `(?:^|[._-])(?:credentials?|creds|passwords?|passwd|api[._-]?keys?|kube[._-]?config|(?:private|priv|deploy|host|ssh|signing|root|access)[._-]?keys?)(?:[._-]${stage})?$`,
  ),
  /(?:^|[._-])(?:mnemonic|(?:seed|recovery)[._-]?phrase|(?:recovery|backup)[._-]?codes?)$/,
  /密码|口令|[密秘私]钥/,
  /[._-](?:rsa|dsa|ecdsa|ed25519)(?:[._-](?:sk|key|private))*$/,
];

/** Folders in which tools and projects store such files. */
const toolFolders =
  /(?:^|\/)(?:\.(?:ssh|gnupg|aws|azure|kube|docker|gcloud|password-store|oci|fly|ngrok2|terraform\.d)|\.config\/(?:gcloud|gh|glab-cli|hub|github-copilot|rclone|doctl|op|stripe|sops|configstore|containers|netlify|ngrok))\/|(?:^|\/)\.m2\/settings[\w-]*\.xml$/;
const projectFolders = /(?:^|\/)(?:\.?(?:secrets?|credentials?|private[._-]keys?)|\.envs)\//;

/** Texts of a user interface, which are about passwords. */
const translations = /(?:^|\/)(?:locales?|i18n|l10n|lang|translations)\/.*\.(?:json|ya?ml|properties)$/;

/** Whether a file typically holds secrets, by its path. Above `root`, only folders of tools count. */
export function isSecretFile(path: string, root?: string): boolean {
  const whole = slashed(path);
  const own = root !== undefined && isInside(path, root) ? whole.slice(dirname(slashed(root)).length) : whole;
  const name = originalName(basename(whole));
  if (translations.test(own) && !name.startsWith(".")) return false;
  if (toolFolders.test(whole) || names.some((pattern) => pattern.test(name))) return true;
  let stem = name;
  while (dataEnding.test(stem)) stem = stem.replace(dataEnding, "");
  const isData = stem !== name || !/.\./.test(name);
  return isData && (projectFolders.test(own) || dataNames.some((pattern) => pattern.test(stem)));
}

/** Whether a file on this machine typically holds secrets, by its path before and after links are resolved. */
export async function isSecretPath(path: string, roots: readonly string[] = []): Promise<boolean> {
  const real = await realPathOf(path);
  const realRoots = await Promise.all(roots.map(realPathOf));
  return [path, real].some((one) => {
    const root = [...roots, ...realRoots].find((folder) => folder !== undefined && isInside(one ?? "", folder));
    return one !== undefined && isSecretFile(one, root);
  });
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/").toLowerCase();
}

/** The name of the original of a copy, or the name itself. */
function originalName(name: string): string {
  let original = name.replace(copyStart, "");
  for (let before = ""; before !== original;) {
    before = original;
    original = original.replace(copyEnding, "") || original;
  }
  return original;
}
