/** Whole values that are secrets by their form. */
export const secretForms: readonly RegExp[] = [
  /(?<![a-z0-9])sk[-_](?:live|test|proj|ant|or)?[\w-]{6,}/gi,
  /(?<![a-z0-9])(?:rk|pk|whsec)_(?:live_|test_)?\w{10,}/gi,
  /(?<![a-z0-9])(?:gh[pousr]_\w{16,}|github_pat_\w{20,}|glpat-[\w-]{16,}|npm_\w{20,}|pypi-[\w-]{20,}|hf_\w{20,}|dop_v1_\w{20,})/gi,
  /(?<![a-z0-9])xox[a-z]-[\w-]{8,}|https:\/\/hooks\.slack\.com\/services\/\S+/gi,
  /(?<![A-Z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}/g,
  /(?<!\w)AIza[\w-]{30,}|(?<!\w)ya29\.[\w-]{20,}|(?<!\w)SG\.[\w-]{16,}\.[\w-]{16,}/g,
  /(?<!\w)eyJ[\w-]{5,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
  /(?<=\bbearer\s{1,5})[\w.~+/=-]{16,}/gi,
  /(?<=\b[Bb]asic\s{1,5})(?=[a-z+/]*[A-Z0-9])[\w+/]{8,}={0,2}/g,
  // A password in a URL, which may hold a slash; a port with a path is none.
  /(?<=:\/\/[^\s/:@"'<>]{0,100}:)(?!\d{1,5}\/)[^\s@"'<>]{1,4000}(?=@)/g,
  /(?<=[?&]sig=)[^&\s"'<>]{10,4000}/gi,
  /(?<=\s(?:-u|--user)[\s=]{1,3}["']?[^\s:"']{1,100}:)(?!\d+\b)[^\s"']{3,4000}/g,
  /(?<=\blogin\s{1,5}\S{1,100}\s{1,5}password\s{1,5})\S{1,4000}/gi,
];

/** A name that says that its value is a secret. */
const secretName = [
  "pass(?:word|wd|phrase|code)",
  "(?<![a-z])pass(?![a-z])",
  "pwd",
  "secret",
  "token",
  "credential",
  "(?:api|access|private|account|auth|signing|encryption)[_-]?key",
  "(?<=[\"'])_?auth(?=[\"'])",
  "密码|密钥|口令|令牌",
].join("|");

/** Such a name, also in the form `dbPass`. */
export const secretNames: readonly RegExp[] = [new RegExp(secretName, "i"), /[a-z]Pass(?![a-z])/];

/** A name with a value that is not in quotation marks, in groups: what stays, and the value. */
export const secretValues: readonly RegExp[] = [
  new RegExp(
    `((?:${secretName}|_auth)[\\w-]{0,20}["'\`\\]]?\\s{0,20}(?:=>|:=|=|:|：)\\s{0,20})([^\\s"'\`]{6,4000})`,
    "gi",
  ),
  /([a-z]Pass\s{0,20}[:=]\s{0,20})([^\s"'`]{6,4000})/g,
  // In a connection string, a value may hold spaces.
  /(;\s{0,5}(?:password|pwd)\s{0,5}=\s{0,5})([^;"'`]{1,4000})/gi,
  /(\b(?:password|pwd)\s{0,5}=\s{0,5})([^;"'`]{1,4000})(?=;\s{0,5}[a-z][\w ]{0,30}=)/gi,
  new RegExp(`(--[\\w-]{0,20}(?:${secretName})[\\w-]{0,20}\\s{1,5})(?!-)([^\\s"'\`]{4,4000})`, "gi"),
  new RegExp(`(<[\\w:.-]{0,30}(?:${secretName})[\\w:.-]{0,30}(?:\\s[^<>]{0,200})?>)([^<>]{1,4000})(?=</)`, "gi"),
  new RegExp(`(\\$\\{\\w{0,30}(?:${secretName})\\w{0,30}:?[-=])([^}]{1,4000})(?=\\})`, "gi"),
];

/** Values that are types, references or calls, not secrets. */
export const harmlessValue =
  /^(?:(?:true|false|null|none|undefined|string|number|boolean|unknown|await|async|function|optional|readonly)[,;)\]}|]*$|\$\{|process\.env|os\.environ|import\.meta\.env|(?:this|self)\.[a-z]|[a-z_$][\w$.]*[([<])/i;
