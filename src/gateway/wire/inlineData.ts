import { randomUUID } from "node:crypto";
import { setImmediate as otherWork } from "node:timers/promises";
import { parseJson } from "../../text/json.ts";

/** From this length on, in characters, a string is kept apart. */
const longest = 64 * 1024;

/** A text in pieces, so that none of the work on it takes long. */
export interface Pieces {
  readonly texts: readonly string[];
  /** Whether they hold the escapes of JSON. */
  readonly isEscaped: boolean;
}

/**
 * JSON as it arrives, without its long strings: parsing 45 MB of an inline image at once would block the extension host.
 * A name that nobody can guess stands for each of them.
 */
export class JsonOutline {
  readonly #id = randomUUID();
  readonly #long = new Map<string, readonly string[]>();
  #text = "";
  #open: string[] | undefined;
  #length = 0;
  #backslashes = 0;

  add(text: string): void {
    for (let at = 0; at < text.length;) {
      const quote = text.indexOf('"', at);
      const end = quote < 0 ? text.length : quote;
      if (this.#open === undefined) {
        this.#text += text.slice(at, end + 1);
        if (quote >= 0) this.#open = [];
      } else if (this.#addToString(text.slice(at, end)) && quote >= 0) {
        this.#close();
      } else if (quote >= 0) this.#addToString('"');
      at = end + 1;
    }
  }

  /** The JSON, whose long strings are names. A string that does not end is left out. */
  get text(): string {
    return this.#text;
  }

  /** The text that a string in the JSON stands for. */
  piecesOf(text: string): Pieces {
    const long = this.#long.get(text);
    return { texts: long ?? [text], isEscaped: long !== undefined };
  }

  /** Adds to the open string. Returns whether a quote would end it. */
  #addToString(text: string): boolean {
    if (text !== "") this.#open?.push(text);
    this.#length += text.length;
    let count = 0;
    while (count < text.length && text[text.length - 1 - count] === "\\") count += 1;
    this.#backslashes = count === text.length ? this.#backslashes + count : count;
    return this.#backslashes % 2 === 0;
  }

  #close(): void {
    const pieces = this.#open ?? [];
    const name = `${this.#id} ${String(this.#long.size)}`;
    if (this.#length > longest) this.#long.set(name, pieces);
    this.#text += `${this.#length > longest ? name : pieces.join("")}"`;
    this.#open = undefined;
    this.#length = 0;
    this.#backslashes = 0;
  }
}

/** Number of characters that are decoded at a time: about 2 ms of work. */
const slice = 512 * 1024;

/**
 * Decodes Base64, also with blanks, in the alphabet of URLs, or in their percent-encoding, in slices. `undefined` for
 * anything else: Node would leave it out silently.
 */
export async function decodeBase64({ texts, isEscaped }: Pieces): Promise<Uint8Array | undefined> {
  const bytes = Buffer.alloc(Math.ceil((texts.reduce((sum, { length }) => sum + length, 0) * 3) / 4));
  let size = 0;
  const add = (base64: string): void => {
    const decoded = Buffer.from(base64, "base64");
    bytes.set(decoded, size);
    size += decoded.length;
  };
  let left = "";
  let isPadded = false;
  for (const text of inSlices(texts)) {
    // What may be half an escape waits for the next slice.
    const whole = left + text;
    const cut = /(?:\\(?:u[\da-f]{0,3})?|%[\da-f]?)$/i.exec(whole.slice(-6))?.[0].length ?? 0;
    const clean = plain(whole.slice(0, whole.length - cut), isEscaped);
    const used = clean === undefined ? 0 : clean.length - (clean.length % 4);
    const isLate = isPadded && clean !== "";
    if (clean === undefined || isLate || !/^[\w+/-]*={0,3}$/.test(clean)) return undefined;
    isPadded = clean.endsWith("=");
    add(clean.slice(0, isPadded ? undefined : used));
    left = (isPadded ? "" : clean.slice(used)) + whole.slice(whole.length - cut);
    await otherWork();
  }
  // One character alone is no byte.
  if (/[\\%]/.test(left) || left.length === 1) return undefined;
  add(left);
  return bytes.subarray(0, size);
}

/** The text without blanks and escapes. */
function plain(text: string, isEscaped: boolean): string | undefined {
  const unescaped = isEscaped && text.includes("\\") ? parseJson(`"${text}"`) : text;
  if (typeof unescaped !== "string") return undefined;
  const decoded = unescaped.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return decoded.replace(/\s+/g, "");
}

function* inSlices(texts: readonly string[]): Generator<string> {
  for (const piece of texts) {
    for (let at = 0; at < piece.length; at += slice) yield piece.slice(at, at + slice);
  }
}
