import { hash, randomBytes, randomInt } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { findSecrets, type Span } from "./findSecrets.ts";
import { isSecret, measures } from "./isSecret.ts";
import { splitLines } from "../lines.ts";
import { exampleMask, maskOf, replaceMasks } from "./maskSecrets.ts";

/** A part of a secret, or a secret with what stands around it, by which the secret is found. */
interface Anchor {
  /** The whole secret, relative to the start of the anchor. */
  readonly span: Span;
  /** Whether it may not be a part of a longer word, because it is short. */
  readonly isApart: boolean;
}

/** A placeholder that a request has, and what it stands for there. */
interface Placeholder {
  readonly place: string;
  readonly value: string;
}

/** Lengths, in characters: of the start of an anchor, by which it is looked for; of the anchors of a long secret; and between these. */
const startLength = 5;
const anchorLength = 24;
const stride = 32;
/** A shorter secret has to stand apart. */
const leastInside = 12;
/** The characters before a value that is a word, which is a secret only beside them. */
const context = 8;
/** The longest line of an answer that is sent back as it is. */
const longestLine = 1_000;

/** How much is handled without a pause, in characters, and the lines that a piece repeats of the one before. */
const atOnce = 16 * 1024;
const repeated = 100;
/** The longest piece, of a line that has no end. The next one begins a little earlier. */
const longestPiece = 64 * 1024;

/** How much is remembered. The oldest goes first. */
const most = { anchors: 400_000, texts: 10_000, lines: 100_000, placeholders: 20_000 };

/**
 * The secrets that were found in the files of this window. What is one in one place is one wherever it appears again, also
 * in part. Keeps no secret, only keyed hashes, but for the values of the placeholders that models may still answer with.
 */
export class WindowSecrets {
  readonly #key = randomBytes(32).toString("hex");
  readonly #base = randomInt(2 ** 31) * 2 + 1;
  /** The lengths of the anchors, by the rolling hash of their start; and the anchors, by their keyed hash. */
  readonly #lengths = new Map<number, Set<number>>();
  readonly #anchors = new Map<string, Anchor>();
  /** Whether texts that were read have secrets, by their keyed hashes. */
  readonly #texts = new Map<string, boolean>();
  /** Keyed hashes of the lines that models wrote. */
  readonly #written = new Set<string>();
  readonly #placeholders = new Map<string, Placeholder>();

  /** Learns the secrets of a whole file with its name, or of another text that nobody typed. Returns whether the text has any. */
  async learn(text: string, name = ""): Promise<boolean> {
    if (name !== "") await this.learn(name);
    const digest = this.#digest(text);
    const known = this.#texts.get(digest);
    if (known !== undefined) return known;
    let hasSecrets = false;
    for (const lines of piecesOf(text)) {
      for (const [index, spans] of findSecrets(lines).entries()) {
        const line = lines[index] ?? "";
        for (const span of spans) this.#add(line, span);
        hasSecrets ||= spans.length > 0;
      }
      await setImmediate();
    }
    this.#texts.set(digest, hasSecrets);
    limit(this.#texts, most.texts);
    return hasSecrets;
  }

  /** Notes what a model wrote: that is sent back as it is, so that nobody learns from a placeholder which guess was right. */
  async noteAnswer(text: string): Promise<void> {
    for (const lines of piecesOf(text, 0)) {
      for (const line of lines) if (line.length <= longestLine) this.#written.add(this.#digest(plainLine(line)));
      limit(this.#written, most.lines);
      await setImmediate();
    }
  }

  /** Whether a text has a secret that was found before. */
  async isIn(text: string): Promise<boolean> {
    return (await this.find(text)).length > 0;
  }

  /** The lines of a text, from zero, that have such a secret. */
  async linesIn(text: string): Promise<ReadonlySet<number>> {
    const lines = new Set<number>();
    let [line, end] = [0, 0];
    for (const { start } of await this.find(text)) {
      line += text.slice(end, start).split("\n").length - 1;
      end = start;
      lines.add(line);
    }
    return lines;
  }

  /**
   * Replaces all secrets that were found before, each with a placeholder of its own. These depend on `place`, the place of the
   * text in its conversation, and on the rest of the text, so that they say nothing about the secret, a conversation that goes
   * on begins alike, and one that was shortened does not use a placeholder for another secret.
   */
  async mask(text: string, place: string): Promise<string> {
    const spans = await this.find(text);
    if (spans.length === 0) return text;
    const parts = [...spans.keys(), spans.length].map((index) => {
      return text.slice(spans[index - 1]?.end ?? 0, spans[index]?.start);
    });
    const own = this.#digest(`${place}\n${JSON.stringify(parts)}`);
    const masks = spans.map(({ start, end }, index) => this.#placeholderFor(`${own} ${index}`, text.slice(start, end)));
    return parts.map((part, index) => part + (masks[index] ?? "")).join("");
  }

  /** Puts values back in place of their placeholders in what a model wrote. Only for what stays on this computer. */
  restore(text: string): string {
    return replaceMasks(text, (mask) => this.#placeholders.get(mask)?.value);
  }

  #placeholderFor(place: string, value: string): string {
    for (let attempt = 0; ; attempt += 1) {
      const mask = maskOf(Number.parseInt(hash("sha256", `${this.#key}${place} ${attempt}`).slice(0, 8), 16) % 1e6);
      const known = this.#placeholders.get(mask);
      if (mask === exampleMask || (known && known.place !== place)) continue;
      this.#placeholders.delete(mask);
      this.#placeholders.set(mask, { place, value });
      limit(this.#placeholders, most.placeholders);
      return mask;
    }
  }

  #add(line: string, { start, end }: Span): void {
    const value = line.slice(start, end);
    const isWord = !isRemarkable(value);
    const lead = isWord ? Math.min(context, start) : 0;
    const text = isWord ? line.slice(start - lead, end + 1) : value;
    if (text.length < startLength || (isWord && text === value)) return;
    const length = Math.min(text.length, anchorLength);
    const starts = [0];
    if (text.length > anchorLength) {
      starts.push(text.length - anchorLength);
      for (let at = stride; at < text.length - anchorLength; at += stride) starts.push(at);
    }
    for (const at of starts) {
      const digest = this.#digest(text.slice(at, at + length));
      if (this.#anchors.has(digest)) continue;
      const span = { start: lead - at, end: lead - at + value.length };
      this.#anchors.set(digest, { span, isApart: !isWord && value.length < leastInside });
      const rolling = this.#rollingHash(text, at, at + startLength);
      this.#lengths.set(rolling, (this.#lengths.get(rolling) ?? new Set()).add(length));
    }
    limit(this.#anchors, most.anchors);
    limit(this.#lengths, most.anchors);
  }

  /** The secrets in a text that were found before, in order, but for those in lines that a model wrote. */
  async find(text: string): Promise<readonly Span[]> {
    const found: Span[] = [];
    for (let start = 0; start < text.length; start += 4 * atOnce) {
      for (const span of this.#findIn(text, start, start + 4 * atOnce + startLength - 1)) found.push(span);
      await setImmediate();
    }
    const spans: Span[] = [];
    for (const span of found.toSorted((one, other) => one.start - other.start)) {
      const last = spans.at(-1);
      if (last && span.start < last.end) spans[spans.length - 1] = { ...last, end: Math.max(last.end, span.end) };
      else if (!this.#written.has(this.#digest(lineAt(text, span.start)))) spans.push(span);
    }
    return spans;
  }

  #findIn(text: string, from: number, to: number): readonly Span[] {
    const found: Span[] = [];
    let power = 1;
    for (let count = 0; count < startLength; count += 1) power = Math.imul(power, this.#base);
    let hash = 0;
    for (let next = from; next < Math.min(to, text.length); next += 1) {
      hash = (Math.imul(hash, this.#base) + text.charCodeAt(next)) | 0;
      const start = next + 1 - startLength;
      if (start < from) continue;
      if (start > from) hash = (hash - Math.imul(text.charCodeAt(start - 1), power)) | 0;
      for (const length of this.#lengths.get(hash) ?? []) {
        const end = start + length;
        const anchor = this.#anchors.get(this.#digest(text.slice(start, end)));
        if (!anchor) continue;
        const span = { start: start + anchor.span.start, end: start + anchor.span.end };
        if (!anchor.isApart || isSeparate(text, span)) found.push(within(text, { start, end }, span));
      }
    }
    return found;
  }

  /** A hash that `#findIn` computes for each window of a text from that of the window before. */
  #rollingHash(text: string, start: number, end: number): number {
    let hash = 0;
    for (let at = start; at < end; at += 1) hash = (Math.imul(hash, this.#base) + text.charCodeAt(at)) | 0;
    return hash;
  }

  #digest(text: string): string {
    return hash("sha256", this.#key + text, "base64");
  }
}

/** The lines of a text in pieces of limited length. Each repeats the end of the one before, which may say what a value is. */
function* piecesOf(text: string, overlap = repeated): Generator<readonly string[], undefined> {
  let before: readonly string[] = [];
  for (let start = 0; start < text.length;) {
    const next = text.indexOf("\n", start + atOnce) + 1 || text.length;
    const end = Math.min(next, start + longestPiece);
    const lines = splitLines(text.slice(start, end));
    yield [...before, ...lines];
    before = overlap > 0 && end === next ? lines.slice(-overlap) : [];
    start = end === next ? end : end - longestLine * 4;
  }
}

/** Whether a value is a secret wherever it stands. A word is one only beside what stands around it. */
function isRemarkable(value: string): boolean {
  return isSecret(value, /\d/.test(value) ? measures.password : measures.secret);
}

/** A line without the sign that it has in a diff. */
function plainLine(line: string): string {
  return line.replace(/^[+-]/, "").trim();
}

/** The line around a place, as far as it may be one of an answer. */
function lineAt(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - longestLine), at);
  const after = text.slice(at, at + longestLine);
  return plainLine(before.slice(before.lastIndexOf("\n") + 1) + after.split("\n", 1).join(""));
}

/** Whether a short secret is no part of a longer word. */
function isSeparate(text: string, { start, end }: Span): boolean {
  const isInWord = (at: number): boolean => /^\w\w$/.test(text.slice(at - 1, at + 1));
  return !isInWord(start) && !isInWord(end);
}

/** What of a secret is there around an anchor: all of it, or the part beside the place where its line was cut. */
function within(text: string, anchor: Span, { start, end }: Span): Span {
  if (start >= anchor.start && end <= anchor.end) return { start, end };
  const before = text.slice(Math.max(0, start), anchor.start);
  const after = text.slice(anchor.end, end);
  return {
    start: anchor.start - before.length + before.lastIndexOf("\n") + 1,
    end: anchor.end + after.split("\n", 1).join("").length,
  };
}

/** Forgets the oldest. */
function limit<K>(known: Pick<Map<K, unknown> | Set<K>, "keys" | "size" | "delete">, size: number): void {
  for (const key of known.keys()) {
    if (known.size <= size) return;
    known.delete(key);
  }
}
