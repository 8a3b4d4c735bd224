/** Removes keys from untrusted text, in whatever form they are quoted. */
export type Clean = (text: string) => string;

/** Any such text may be a key. Inside a word, only if too long for a word: `risk-free` is none. */
const keyForms =
  /(?:(?<![a-z0-9])sk(?:-|%2d|\\u002d|&#45;)[^\s"'<>]+|sk-[\w-]{20,}|QmVhcmVyI[\w+/=-]+|(?<=bearer\s{1,5})[\w.~+/=-]{20,})/gi;

/** Removes keys from logs and notices: services may quote the key they reject (Unstructured-IO/unstructured-api#578). */
export function withoutKeys(text: string): string {
  return text.replace(keyForms, (found) => (/^sk/i.test(found) ? "sk-…" : "…"));
}

/** Like `withoutKeys` for a known key: also removes truncated, split or encoded forms of it. */
export function cleaning(key: string): Clean {
  let forms: RegExp | undefined;
  return (text) => {
    forms ??= formsOf(key);
    return withoutKeys(text.replace(forms, "…"));
  };
}

/** Number of a key's first characters that identify it: anywhere in a text, or at the end of a truncated one. */
const enough = 8;
const enoughAtEnd = 4;

/** What may separate a key's characters in wrapped text. Classes of Unicode would take 12 ms to compile (Node 24). */
const gap = "[^!-~]*";

/** The first characters of a key by which its forms are found. Longer keys go on from there. */
const maxLength = 300;

function formsOf(key: string): RegExp {
  const characters = Array.from(key.slice(0, maxLength), anySpelling);
  const tail = key.length > maxLength ? String.raw`[^\s"'<>]*` : "";
  const beginning = (length: number): string => {
    const optional = characters.slice(length).reduceRight((rest, one) => `(?:${gap}${one}${rest})?`, tail);
    return characters.slice(0, length).join(gap) + optional;
  };
  const atEnd = String.raw`${beginning(enoughAtEnd)}[\s.…]*$`;
  return new RegExp([beginning(enough), atEnd, ...encodings(key)].join("|"), "giu");
}

/** A character in plain form, in a URL, in JSON or in HTML. */
function anySpelling(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16).padStart(2, "0");
  return String.raw`(?:\u{${hex}}|%${hex}|\\u00${hex}|&#${String(code)};|&#x${hex};)`;
}

/** A key in hexadecimal and in Base64, which depends on the preceding bytes. */
function encodings(whole: string): readonly string[] {
  const key = whole.slice(0, maxLength);
  const hex = Buffer.from(key).toString("hex");
  const inBase64 = [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(key)]);
    const first = Math.ceil((before * 4) / 3);
    return bytes.toString("base64").slice(first, Math.floor((bytes.length * 4) / 3));
  });
  const literals = [hex, ...inBase64].filter(({ length }) => length >= enough);
  const tail = whole.length > maxLength ? String.raw`[\w+/=-]*` : "";
  return literals.map((text) => text.replaceAll("+", "[+-]").replaceAll("/", "[/_]") + tail);
}

/** Maximum number of characters that are read of untrusted text. */
const lookedAt = 64 * 1024;

/** One line of at most 300 characters. Removes keys first, so that none is cut into an unrecognizable part. */
export function bounded(text: string, clean: Clean): string | undefined {
  const line = clean(text.slice(0, lookedAt))
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line || undefined;
}
