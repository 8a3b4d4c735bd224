import type { LineChange } from "./diffLines.ts";
import type { Hunk, OldLine } from "./operations.ts";

/** The rows of one hunk of a patch: context, removed, and added lines. */
export class HunkRows {
  /** The line of the answer where the hunk starts. */
  readonly line: number;
  readonly #old: OldLine[] = [];
  readonly #lines: string[] = [];
  readonly #anchors: string[] = [];
  readonly #marked: LineChange[] = [];
  #hasBareText = false;

  constructor(line: number) {
    this.line = line;
  }

  get isEmpty(): boolean {
    return this.#old.length === 0 && this.#lines.length === 0;
  }

  /** Whether it changes nothing as written, but has lines that may have lost their marks. */
  get isDoubtful(): boolean {
    return this.#marked.length === 0 && this.#hasBareText;
  }

  addAnchor(anchor: string): void {
    this.#anchors.push(anchor);
  }

  /** Adds a row. Returns `false` for one without a mark, which counts as context. */
  add(row: string): boolean {
    const text = row.slice(1);
    if (row.startsWith("+")) {
      this.#lines.push(text);
      this.#mark(false);
    } else if (row.startsWith("-")) {
      this.#old.push({ text, isRemoved: true });
      this.#mark(true);
    } else if (row.startsWith(" ")) {
      this.#old.push({ text, unstripped: row });
      this.#lines.push(text);
    } else {
      this.#old.push({ text: row });
      this.#lines.push(row);
      this.#hasBareText ||= row.trim() !== "";
      return false;
    }
    return true;
  }

  /** The hunk, which may change nothing and only show where others are; `undefined` if it has no code. */
  end(isAtEnd: boolean): Hunk | undefined {
    const [old, lines] = [this.#old, this.#lines];
    if (this.#marked.length === 0 && old.every(({ text }) => text.trim() === "")) return undefined;
    while (isBareBlank(old.at(-1)) && lines.at(-1) === "") {
      old.pop();
      lines.pop();
    }
    return { old, lines, marked: this.#marked, anchors: this.#anchors, isAtEnd };
  }

  /** Notes that the last row is removed or added: part of the same change as the row before if that is one. */
  #mark(isRemoved: boolean): void {
    const [end, newEnd] = [this.#old.length, this.#lines.length];
    const [start, newStart] = isRemoved ? [end - 1, newEnd] : [end, newEnd - 1];
    const last = this.#marked.at(-1);
    if (last?.end === start && last.newEnd === newStart)
      this.#marked[this.#marked.length - 1] = { ...last, end, newEnd };
    else this.#marked.push({ start, end, newStart, newEnd });
  }
}

function isBareBlank(last: OldLine | undefined): boolean {
  return last?.text === "" && last.isRemoved !== true && last.unstripped === undefined;
}
