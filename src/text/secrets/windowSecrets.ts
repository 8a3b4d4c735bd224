import { hash, randomBytes, randomInt } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { findSecrets } from "./findSecrets.ts";
import { isPhrase, isSecret, measures } from "./secretForms.ts";
import { splitLines } from "../lines.ts";
import { mergeSpans, type TextSpan } from "./secretValues.ts";
import { exampleMask, maskOf, replaceMasks } from "./placeholders.ts";

/** A part of a secret, or a secret with the text around it, by which the secret is found. */
interface Anchor {
  /** The whole secret, relative to the start of the anchor. */
  readonly span: TextSpan;
  /** Whether it counts only as a word of its own, because it is short. */
  readonly isApart: boolean;
}

/** The secret that a placeholder stands for, and where. */
interface Placeholder {
  readonly position: string;
  readonly value: string;
}

/** Length of the start of an anchor, by which it is looked for, in characters. */
const startLength = 5;
/** Length of the anchors of a long secret, and the distance from one to the next, in characters. */
const anchorLength = 24;
const stride = 32;
/** A shorter secret counts only if it is not part of a longer word. */
const minInside = 12;
/** Number of characters before a value that is a word. It counts as the secret only after the same characters. */
const context = 8;
/** Maximum length of a line of an answer that is remembered by its hash, in characters. */
const maxLineLength = 1_000;
/** Maximum length of the longer lines together. */
const maxLongLines = 400_000;
/** Number of characters beside a secret that are compared in these. */
const nearby = 32;

/** Number of characters that are processed without a pause, and of lines that a piece repeats of the one before. */
const atOnce = 16 * 1024;
const repeated = 100;
/** Maximum length of a piece, for very long lines. The next one overlaps with it. */
const maxPieceLength = 64 * 1024;

/** Numbers of entries that are remembered. The oldest are removed first. */
const max = { anchors: 400_000, texts: 10_000, lines: 100_000, placeholders: 20_000 };

/**
 * The secrets that were found in the files of this window. They are masked wherever they appear again, even in part. Stores
 * keyed hashes instead of secrets, except for the values of placeholders, which answers may contain.
 */
export class WindowSecrets {
  readonly #key = randomBytes(32).toString("hex");
  readonly #base = randomInt(2 ** 31) * 2 + 1;
  /** The lengths of the anchors, by the rolling hash of their start; and the anchors, by their keyed hash. */
  readonly #lengths = new Map<number, Set<number>>();
  readonly #anchors = new Map<string, Anchor>();
  /** Whether a text has secrets, by its keyed hash. */
  readonly #texts = new Map<string, boolean>();
  /** Keyed hashes of lines in answers of models. */
  readonly #written = new Set<string>();
  /** The longer lines, the newest last. */
  #longLines: readonly string[] = [];
  readonly #placeholders = new Map<string, Placeholder>();

  /** Learns the secrets in a file and in its name, or in another text. Returns whether the text has any. */
  async learn(text: string, name = ""): Promise<boolean> {
    if (name !== "") await this.learn(name);
    const digest = this.#digest(text);
    const known = this.#texts.get(digest);
    if (known !== undefined) return known;
    let hasSecrets = false;
    for (const lines of piecesOf(text)) {
      for (const [index, spans] of findSecrets(lines).entries()) {
        const line = lines[index] ?? "";
        for (const span of spans.flatMap((span) => [span, ...partsOf(line, span)])) {
          this.#add(line, span);
          for (const value of notationsOf(line.slice(span.start, span.end)))
            this.#add(value, { start: 0, end: value.length });
        }
        hasSecrets ||= spans.length > 0;
      }
      await setImmediate();
    }
    this.#texts.set(digest, hasSecrets);
    limit(this.#texts, max.texts);
    return hasSecrets;
  }

  /** Remembers the lines of an answer. They are never masked, so that no placeholder reveals which guess of a model is right. */
  async noteAnswer(text: string): Promise<void> {
    for (const lines of piecesOf(text, 0)) {
      for (const line of lines) if (line.length <= maxLineLength) this.#written.add(this.#digest(plainLine(line)));
      limit(this.#written, max.lines);
      let room = maxLongLines;
      const longLines = [...this.#longLines, ...lines.filter((line) => line.length > maxLineLength)];
      this.#longLines = longLines.slice(longLines.findLastIndex((line) => (room -= line.length) < 0) + 1);
      await setImmediate();
    }
  }

  /** Whether a model wrote the line of a secret or, in a long line, the secret with what is next to it. */
  #isWritten(text: string, span: TextSpan): boolean {
    const { start } = span;
    const line = plainLine(lineAround(text, { start, end: start }, maxLineLength));
    if (this.#written.has(this.#digest(line))) return true;
    const around = lineAround(text, span, nearby);
    return this.#longLines.some((longLine) => longLine.includes(around));
  }

  /** Whether a text has a known secret. */
  async isIn(text: string): Promise<boolean> {
    return (await this.find(text)).length > 0;
  }

  /** The lines of a text, from zero, with a known secret. */
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
   * Replaces each known secret by a placeholder of its own. It depends on the position of the text in its conversation and on
   * the rest of the text, but not on the secret. So a continued conversation begins with the same placeholders, and a shortened
   * one does not use a placeholder for another secret.
   */
  async mask(text: string, position: string): Promise<string> {
    const spans = await this.find(text);
    if (spans.length === 0) return text;
    const parts = [...spans.keys(), spans.length].map((index) => {
      return text.slice(spans[index - 1]?.end ?? 0, spans[index]?.start);
    });
    const own = this.#digest(`${position}\n${JSON.stringify(parts)}`);
    const masks = spans.map(({ start, end }, index) => this.#placeholderFor(`${own} ${index}`, text.slice(start, end)));
    return parts.map((part, index) => part + (masks[index] ?? "")).join("");
  }

  /** Replaces the placeholders in an answer by the secrets. Only for text that stays on this computer. */
  restore(text: string): string {
    return replaceMasks(text, (mask) => this.#placeholders.get(mask)?.value);
  }

  #placeholderFor(position: string, value: string): string {
    for (let attempt = 0; ; attempt += 1) {
      const mask = maskOf(Number.parseInt(hash("sha256", `${this.#key}${position} ${attempt}`).slice(0, 8), 16) % 1e6);
      const known = this.#placeholders.get(mask);
      if (mask === exampleMask || (known && known.position !== position)) continue;
      this.#placeholders.delete(mask);
      this.#placeholders.set(mask, { position, value });
      limit(this.#placeholders, max.placeholders);
      return mask;
    }
  }

  #add(line: string, { start, end }: TextSpan): void {
    const value = line.slice(start, end);
    const isWord = !isRemarkable(value);
    const lead = isWord ? Math.min(context, start) : 0;
    const text = isWord ? line.slice(start - lead, end + 1) : value;
    if (text.length < startLength || (isWord && text === value)) return;
    const isApart = !isWord && value.length < minInside && isSeparate(line, { start, end });
    const length = Math.min(text.length, anchorLength);
    const starts = [0];
    if (text.length > anchorLength) {
      starts.push(text.length - anchorLength);
      for (let at = stride; at < text.length - anchorLength; at += stride) starts.push(at);
    }
    for (const at of starts) {
      const digest = this.#digest(text.slice(at, at + length));
      const known = this.#anchors.get(digest);
      if (known && (isApart || !known.isApart)) continue;
      const span = { start: lead - at, end: lead - at + value.length };
      this.#anchors.set(digest, { span, isApart });
      const rolling = this.#rollingHash(text, at, at + startLength);
      this.#lengths.set(rolling, (this.#lengths.get(rolling) ?? new Set()).add(length));
    }
    // What is forgotten has to be learned again.
    if (this.#anchors.size > max.anchors) this.#texts.clear();
    limit(this.#anchors, max.anchors);
    limit(this.#lengths, max.anchors);
  }

  /** The known secrets in a text, in order, except for those in lines of answers. */
  async find(text: string): Promise<readonly TextSpan[]> {
    const found: TextSpan[] = [];
    for (let start = 0; start < text.length; start += 4 * atOnce) {
      for (const span of this.#findIn(text, start, start + 4 * atOnce + startLength - 1))
        if (!this.#isWritten(text, span)) found.push(span);
      await setImmediate();
    }
    return mergeSpans(found);
  }

  #findIn(text: string, from: number, to: number): readonly TextSpan[] {
    const found: TextSpan[] = [];
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

  /** The hash of a part of a text. `#findIn` updates it character by character. */
  #rollingHash(text: string, start: number, end: number): number {
    let hash = 0;
    for (let at = start; at < end; at += 1) hash = (Math.imul(hash, this.#base) + text.charCodeAt(at)) | 0;
    return hash;
  }

  #digest(text: string): string {
    return hash("sha256", this.#key + text, "base64");
  }
}

/** The lines of a text in pieces of limited length. Each repeats the end of the one before, which may have the name of a value. */
function* piecesOf(text: string, overlap = repeated): Generator<readonly string[], undefined> {
  let before: readonly string[] = [];
  for (let start = 0; start < text.length;) {
    const next = text.indexOf("\n", start + atOnce) + 1 || text.length;
    const end = Math.min(next, start + maxPieceLength);
    const lines = splitLines(text.slice(start, end));
    yield [...before, ...lines];
    before = overlap > 0 && end === next ? lines.slice(-overlap) : [];
    start = end === next ? end : end - maxLineLength * 4;
  }
}

/** The parts of a value that are secrets anywhere, as in `key&user=name`: without the rest, they may appear elsewhere. */
function partsOf(line: string, { start, end }: TextSpan): readonly TextSpan[] {
  return [...line.slice(start, end).matchAll(/[^\s&,/:;|]+/g)]
    .filter(([part]) => part.length < end - start && isSecret(part, measures.random))
    .map(({ 0: part, index }) => ({ start: start + index, end: start + index + part.length }));
}

/** A value in other notations: plain, as in a URL, and as in JSON. */
function notationsOf(value: string): readonly string[] {
  const escapes = /%([\da-f]{2})|\\(["'/\\])/gi;
  const plain = value.replace(escapes, (_, hex: string, sign: string = String.fromCharCode(parseInt(hex, 16))) => sign);
  const forms = [plain, encodeURIComponent(plain.toWellFormed()), JSON.stringify(plain).slice(1, -1)];
  return forms.filter((form) => form !== value);
}

/** Whether a value is random enough to be a secret anywhere. A word is one only in its context. */
function isRemarkable(value: string): boolean {
  if (isPhrase(value)) return value.includes(" ");
  return isSecret(value, /\d/.test(value) ? measures.password : measures.secret);
}

/** A line without the mark of a diff. */
function plainLine(line: string): string {
  return line.replace(/^[+-]/, "").trim();
}

/** A span with the rest of its line on both sides, up to `distance` characters each. */
function lineAround(text: string, { start, end }: TextSpan, distance: number): string {
  const before = text.slice(Math.max(0, start - distance), start);
  const after = text.slice(end, end + distance);
  return before.slice(before.lastIndexOf("\n") + 1) + text.slice(start, end) + after.split("\n", 1).join("");
}

/** The end of an escaped line break or tab, and of a terminal's color. */
const escapeEnd = /(?:\\[nrt]|\[[\d;]{0,12}[Km])$/;

/** Whether a span is not part of a longer word. */
function isSeparate(text: string, { start, end }: TextSpan): boolean {
  const isInWord = (at: number): boolean => /^\w\w$/.test(text.slice(at - 1, at + 1));
  return (!isInWord(start) || escapeEnd.test(text.slice(Math.max(0, start - 16), start))) && !isInWord(end);
}

/** The part of a secret that is in a text: all of it, or the part in the line of its anchor. */
function within(text: string, anchor: TextSpan, { start, end }: TextSpan): TextSpan {
  if (start >= anchor.start && end <= anchor.end) return { start, end };
  const before = text.slice(Math.max(0, start), anchor.start);
  const after = text.slice(anchor.end, end);
  return {
    start: Math.max(start, anchor.start - before.length + before.lastIndexOf("\n") + 1),
    end: Math.min(end, anchor.end + after.split("\n", 1).join("").length),
  };
}

/** Removes the oldest entries. */
function limit<K>(known: Pick<Map<K, unknown> | Set<K>, "keys" | "size" | "delete">, size: number): void {
  for (const key of known.keys()) {
    if (known.size <= size) return;
    known.delete(key);
  }
}
