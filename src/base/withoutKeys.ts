import { collapseSpace } from "./collapseSpace.ts";

/** Removes keys from untrusted text, in whatever form they are quoted. */
export type Clean = (text: string) => string;

/** Texts that look like a key. Inside a word, only long ones, because `risk-free` is not a key. */
const keyForms =
  /(?:(?<![a-z0-9])sk(?:-|%2d|\\u002d|&#45;)[^\s"'<>]+|sk-(?=[\w-]{0,40}?\w{16})[\w-]{20,}|QmVhcmVyI[\w+/=-]+|(?<=bearer\s{1,5})[\w.~+/=-]{20,})/gi;

/** Removes keys from logs and notices: services may quote a key that they reject (Unstructured-IO/unstructured-api#578). */
export function withoutKeys(text: string): string {
  return text.replace(keyForms, (found) => (/^sk/i.test(found) ? "sk-…" : "…"));
}

/**
 * Like `withoutKeys`, but also removes each run of 8 characters of a known key: plain, escaped, split or reversed, in
 * hexadecimal, or in Base64 of any part of the key.
 */
export function cleaning(key: string): Clean {
  let runs: ReadonlySet<string> | undefined;
  return (text) => withoutKeys(withoutRuns(text, (runs ??= runsOf(key))));
}

/** Number of characters that reveal too much of a key: anywhere, and of its beginning at the end of a truncated text. */
const minRun = 8;
const minRunAtEnd = 4;

/** Number of a key's characters whose other forms are removed, so that the longest key takes about 10 ms. */
const maxEncoded = 2048;

/** The rest of a key, or of its encoding, after a run that is removed. */
const rest = /[\w+/=~-]*/y;

function runsOf(key: string): ReadonlySet<string> {
  const characters = key.slice(0, maxEncoded);
  const bytes = Buffer.from(characters);
  // The Base64 of a byte depends on the number of bytes before it.
  const inBase64 = [0, 1, 2].map((from) => bytes.subarray(from).toString("base64url"));
  const runs = new Set<string>();
  for (const form of [key, Array.from(characters).reverse().join(""), bytes.toString("hex"), ...inBase64]) {
    const { plain } = plainOf(form);
    for (let from = 0; from + minRun <= plain.length; from += 1) runs.add(plain.slice(from, from + minRun));
  }
  const beginning = plainOf(key.slice(0, minRun)).plain;
  for (let length = minRunAtEnd; length < minRun; length += 1) runs.add(beginning.slice(0, length).padEnd(minRun));
  return runs;
}

function withoutRuns(text: string, runs: ReadonlySet<string>): string {
  const { plain, starts, ends } = plainOf(text);
  const read = plain.replace(/\.{1,3}$/, "");
  const padded = read + " ".repeat(minRun - minRunAtEnd);
  const isRun = (from: number): boolean => runs.has(padded.slice(from, from + minRun));
  let [clean, written] = ["", 0];
  for (let from = 0; from + minRun <= padded.length; from += 1) {
    if (!isRun(from)) continue;
    let end = from + minRun;
    for (let next = from + 1; next <= end; next += 1) if (isRun(next)) end = next + minRun;
    clean += `${text.slice(written, starts[from])}…`;
    rest.lastIndex = (end <= read.length ? ends[end - 1] : undefined) ?? text.length;
    const [following = ""] = rest.exec(text) ?? [];
    written = rest.lastIndex;
    from = end + following.length - 1;
  }
  return clean + text.slice(written);
}

/** A character in a URL, in JSON or in HTML. */
const escaped = /%([\da-f]{2})|\\u00([\da-f]{2})|&#x([\da-f]{2});|&#(\d{2,3});/iy;

const backslash = 0x5c;

/**
 * The visible ASCII characters of a text, unescaped, in lowercase and in the URL-safe form of Base64, with the position of
 * each.
 */
function plainOf(text: string): { readonly plain: string; readonly starts: Uint32Array; readonly ends: Uint32Array } {
  const codes = new Uint8Array(text.length);
  const [starts, ends] = [new Uint32Array(text.length), new Uint32Array(text.length)];
  let count = 0;
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = start + 1;
    let code = text.charCodeAt(start);
    if (code === backslash || text[start] === "%" || text[start] === "&") {
      escaped.lastIndex = start;
      const [whole = "", url, json, hex, decimal] = escaped.exec(text) ?? [];
      if (whole !== "") code = decimal === undefined ? parseInt(url ?? json ?? hex ?? "", 16) : Number(decimal);
      end = Math.max(end, start + whole.length);
    }
    if (code <= 0x20 || code >= 0x7f || code === backslash) continue;
    codes[count] = code;
    starts[count] = start;
    ends[count] = end;
    count += 1;
  }
  const plain = Buffer.from(codes.buffer, 0, count).toString("latin1").toLowerCase();
  return { plain: plain.replaceAll("+", "-").replaceAll("/", "_"), starts, ends };
}

/** Maximum number of characters that are read of untrusted text. */
const maxRead = 64 * 1024;

/** One line of at most 300 characters. Keys are removed first, because a part of a key would not be recognized. */
export function bounded(text: string, clean: Clean): string | undefined {
  const line = collapseSpace(clean(text.slice(0, maxRead)));
  return line.length > 300 ? `${line.slice(0, 299)}…` : line || undefined;
}
