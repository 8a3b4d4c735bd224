/** Makes a text from outside fit for logs and notices: without keys, in no matter what form they are quoted. */
export type Clean = (text: string) => string;

/** Any text of this form may be a key. Within a word only what is too long for a word: `risk-free` is none. */
const keyForms =
  /(?:(?<![a-z0-9])sk(?:-|%2d|\\u002d|&#45;)[^\s"'<>]+|sk-[\w-]{20,}|QmVhcmVyI[\w+/=-]+|(?<=bearer\s{1,5})[\w.~+/=-]{20,})/gi;

/** A text from outside as a log or a notice may show it: some gateways quote the key they refuse. */
export function withoutKeys(text: string): string {
  return text.replace(keyForms, (found) => (/^sk/i.test(found) ? "sk-…" : "…"));
}

/** `withoutKeys` for an operation whose key is known: clears that key whole or cut short, split or encoded, too. */
export function cleaning(key: string): Clean {
  let forms: RegExp | undefined;
  return (text) => {
    forms ??= formsOf(key);
    return withoutKeys(text.replace(forms, "…"));
  };
}

/** So much of a key's beginning is no coincidence: anywhere in a text, and at the end of one that was cut. */
const enough = 8;
const enoughAtEnd = 4;

/** What may stand between a key's characters where a text was wrapped. */
const gap = String.raw`[\s\p{Cc}\p{Cf}]*`;

/** No key is longer; what follows the part that is looked at is taken with it. */
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

/** A character as itself, in a URL, in JSON or in HTML. */
function anySpelling(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16).padStart(2, "0");
  return String.raw`(?:\u{${hex}}|%${hex}|\\u00${hex}|&#${String(code)};|&#x${hex};)`;
}

/** A key in hexadecimal, and in Base64, where its letters depend on what stands before it. */
function encodings(key: string): readonly string[] {
  const hex = Buffer.from(key).toString("hex");
  const inBase64 = [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(key)]);
    const first = Math.ceil((before * 4) / 3);
    return bytes.toString("base64").slice(first, Math.floor((bytes.length * 4) / 3));
  });
  const literals = [hex, ...inBase64].filter(({ length }) => length >= enough);
  return literals.map((text) => text.replaceAll("+", "[+-]").replaceAll("/", "[/_]"));
}

/** How much of a text from outside is looked at for one line. */
const lookedAt = 64 * 1024;

/** One line of at most 300 characters without keys, which are cleared before anything is cut off. */
export function bounded(text: string, clean: Clean): string | undefined {
  const line = clean(text.slice(0, lookedAt))
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line || undefined;
}
