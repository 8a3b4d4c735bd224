import { withoutKeys } from "../gateway/wire/withoutKeys.ts";

/** What stands in place of a secret. */
export const secretMark = "[secret removed]";

/** Whole values that are secrets by their form. */
const forms: readonly RegExp[] = [
  /(?<![a-z0-9])sk[-_](?:live|test|proj|ant|or)?[\w-]{6,}/gi,
  /(?<![a-z0-9])(?:rk|pk|whsec)_(?:live_|test_)?\w{10,}/gi,
  /(?<![a-z0-9])(?:gh[pousr]_\w{16,}|github_pat_\w{20,}|glpat-[\w-]{16,}|npm_\w{20,}|pypi-[\w-]{20,}|hf_\w{20,}|dop_v1_\w{20,})/gi,
  /(?<![a-z0-9])xox[a-z]-[\w-]{8,}|https:\/\/hooks\.slack\.com\/services\/\S+/gi,
  /(?<![A-Z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}/g,
  /(?<!\w)AIza[\w-]{30,}|(?<!\w)ya29\.[\w-]{20,}|(?<!\w)SG\.[\w-]{16,}\.[\w-]{16,}/g,
  /(?<!\w)eyJ[\w-]{5,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
  /(?<=\bbearer\s{1,5})[\w.~+/=-]{16,}/gi,
  /(?<=\b[Bb]asic\s{1,5})(?=[a-z+/]*[A-Z0-9])[\w+/]{8,}={0,2}/g,
  /(?<=:\/\/[^\s/:@"'<>]{0,100}:)[^\s/@"'<>]{1,200}(?=@)/g,
];

/** A name that says that its value is a secret, and the value. */
const assignment =
  /((?:pass(?:word|wd|phrase)|pwd|secret|token|credential|(?:api|access|private|account|auth|signing|encryption)[_-]?key)[\w-]{0,20}["'`\]]?\s{0,20}(?:=>|:=|=|:)\s{0,20})(["'`]?)([^\s"'`]{6,500})/gi;

/** Values that are types, references or calls, not secrets. */
const harmless =
  /^(?:(?:true|false|null|none|undefined|string|number|boolean|unknown|await|async|function|optional|readonly)[,;)\]}|]*$|\$\{|process\.env|os\.environ|import\.meta\.env|(?:this|self)\.[a-z]|[a-z_$][\w$.]*[([<])/i;

const blockBegin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;
const blockEnd = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;

/** A line of nothing but encoded data, as in a key of which a diff shows only the middle. */
const encoded = /^[+\- ]?\s*["'`]?[A-Za-z0-9+/]{40,}={0,2}(?:\\n)?["'`]?[,;+]?\s*$/;

/** The last line of such data, which is shorter. */
const encodedEnd = /^[+\- ]?\s*["'`]?[A-Za-z0-9+/]{2,}={0,2}(?:\\n)?["'`]?[,;+]?\s*$/;

/**
 * Removes what looks like a secret from lines of a repository: keys of known forms, values of names such as `password`,
 * private keys, and encoded data. The first character of a line stays, so that a diff is still one.
 */
export function maskLines(lines: readonly string[]): readonly string[] {
  let isInKey = false;
  let wasFull = false;
  return lines.map((line) => {
    const isFull = encoded.test(line);
    const isEncoded = isFull || (wasFull && encodedEnd.test(line));
    wasFull = isFull;
    const isBegin = blockBegin.test(line);
    const isEnd = blockEnd.test(line);
    if (line.startsWith("@@ ")) isInKey = false;
    const isKey = isInKey || isBegin || isEnd;
    isInKey = (isInKey || isBegin) && !isEnd;
    return isKey || isEncoded ? `${/^[+\- ]/.exec(line)?.[0] ?? ""}${secretMark}` : maskText(line);
  });
}

/** Removes what looks like a secret from one line. */
export function maskText(line: string): string {
  const masked = forms.reduce((text, form) => text.replace(form, secretMark), line);
  const assigned = masked.replace(assignment, (found, name: string, mark: string, value: string) =>
    value.startsWith("[secret") || (mark === "" && harmless.test(value)) ? found : `${name}${mark}${secretMark}`,
  );
  return withoutKeys(assigned);
}
