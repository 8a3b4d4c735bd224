/** Lowercase names of files with passwords, tokens or private keys. */
const names: readonly RegExp[] = [
  // Sample files contain no secrets.
  /^\.env(?!\.(?:example|sample|template|dist|defaults)$)(?:rc|[.-].*)?$/,
  /\.env$/,
  /\.(?:pem|key|p8|p12|pfx|pkcs12|ppk|jks|keystore|kdbx|tfstate|tfvars|ovpn)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?!.*\.pub$)/,
  /^(?:\.npmrc|\.pypirc|\.netrc|_netrc|\.git-credentials|\.htpasswd|\.pgpass|\.my\.cnf|\.dockercfg|\.vault-token|\.boto|\.s3cfg)$/,
  /^(?:.*[._-])?credentials?(?:\.(?:json|ya?ml|toml|ini|csv|xml|txt|properties))?$/,
  /^secrets(?:\..*)?$/,
  /^(?:service[_-]?account|client[_-]secret).*\.json$/,
];

/** Folders with only such files. */
const folders = /(?:^|\/)(?:\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker)\//;

/** Whether a file typically holds secrets, judging by its path. Such a file is sent only if the user attaches it. */
export function isSecretFile(path: string): boolean {
  const lower = path.replaceAll("\\", "/").toLowerCase();
  const name = lower.slice(lower.lastIndexOf("/") + 1);
  return folders.test(lower) || names.some((pattern) => pattern.test(name));
}
