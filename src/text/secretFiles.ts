/** Names, in small letters, of files that hold passwords, tokens or private keys. */
const names: readonly RegExp[] = [
  // Samples of such files are there to be read.
  /^\.env(?!\.(?:example|sample|template|dist|defaults)$)(?:rc|[.-].*)?$/,
  /\.env$/,
  /\.(?:pem|key|p8|p12|pfx|pkcs12|ppk|jks|keystore|kdbx|tfstate|tfvars|ovpn)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?!.*\.pub$)/,
  /^(?:\.npmrc|\.pypirc|\.netrc|_netrc|\.git-credentials|\.htpasswd|\.pgpass|\.my\.cnf|\.dockercfg|\.vault-token|\.boto|\.s3cfg)$/,
  /^(?:.*[._-])?credentials?(?:\.(?:json|ya?ml|toml|ini|csv|xml|txt|properties))?$/,
  /^secrets(?:\..*)?$/,
  /^(?:service[_-]?account|client[_-]secret).*\.json$/,
];

/** Folders of which every file is one of these. */
const folders = /(?:^|\/)(?:\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker)\//;

/** Whether a file, by its name, is one that keeps secrets, and so goes nowhere unless the user says so. */
export function isSecretFile(path: string): boolean {
  const lower = path.replaceAll("\\", "/").toLowerCase();
  const name = lower.slice(lower.lastIndexOf("/") + 1);
  return folders.test(lower) || names.some((pattern) => pattern.test(name));
}
