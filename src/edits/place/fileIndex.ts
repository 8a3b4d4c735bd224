import { indentOf, hasText } from "../../text/lines.ts";
import { findSequence } from "../../text/findSequence.ts";
import type { FileText } from "../change/fileText.ts";

/** Maximum number of lines to compare for one answer. It takes less than 100 ms, so that no input takes long. */
const maxSteps = 5_000_000;

/** Limits the work for one answer. */
export class StepLimit {
  #left = maxSteps;

  /** Takes steps; `false` if there are not enough left. */
  take(steps: number): boolean {
    this.#left -= steps;
    return this.#left >= 0;
  }
}

/** An index of the lines of a file, without blank lines, to find lines that differ only in whitespace. */
export class FileIndex {
  readonly file: FileText;
  readonly steps: StepLimit;
  /** The numbers of the lines that are not blank. */
  readonly nonBlank: readonly number[];
  /** The id of each text without its whitespace. */
  readonly #ids = new Map<string, number>();
  /** The ids of the lines in `nonBlank`. */
  readonly #idAt: readonly number[];
  /** The positions in `nonBlank` of each id. */
  readonly #positions: number[][] = [];
  #indents: ReadonlySet<string> | undefined;

  constructor(file: FileText, steps: StepLimit) {
    const { lines } = file;
    this.file = file;
    this.steps = steps;
    this.nonBlank = lines.flatMap((line, index) => (hasText(line) ? [index] : []));
    this.#idAt = this.nonBlank.map((line, position) => {
      const text = withoutSpace(lines[line] ?? "");
      const id = this.#ids.get(text) ?? this.#ids.size;
      this.#ids.set(text, id);
      (this.#positions[id] ??= []).push(position);
      return id;
    });
  }

  /** The indentations of the file, except for the space that aligns the lines of comments. */
  get indents(): ReadonlySet<string> {
    const isCode = (line: string): boolean => hasText(line) && !/^\s*\*/.test(line);
    return (this.#indents ??= new Set(this.file.lines.filter(isCode).map(indentOf)));
  }

  /** The positions in `nonBlank` where these lines, which are not blank, follow each other. `undefined` if over the steps. */
  find(lines: readonly string[]): readonly number[] | undefined {
    const ids = lines.map((line) => this.#ids.get(withoutSpace(line)) ?? -1);
    const positions = ids.map((id) => this.#positions[id] ?? []);
    const rarest = positions.reduce((least, one, at) => (one.length < (positions[least]?.length ?? 0) ? at : least), 0);
    const [tries, scan] = [(positions[rarest]?.length ?? 0) * ids.length, this.#idAt.length + ids.length];
    if (tries === 0) return [];
    if (!this.steps.take(Math.min(tries, scan))) return undefined;
    if (tries > scan) return [...findSequence(this.#idAt, ids)];
    const starts = (positions[rarest] ?? []).map((position) => position - rarest);
    return starts.filter((start) => start >= 0 && ids.every((id, at) => this.#idAt[start + at] === id));
  }

  /**
   * The numbers of the lines that equal a text except for whitespace or, if there are none, of those that start with it, and
   * not with a longer word.
   */
  linesLike(anchor: string): readonly number[] {
    const text = anchor.trim();
    const equal = this.#positions[this.#ids.get(withoutSpace(text)) ?? -1] ?? [];
    if (equal.length > 0 || !hasText(text) || !this.steps.take(this.nonBlank.length)) {
      return equal.map((position) => this.nonBlank[position] ?? 0);
    }
    const startsWithText = (line: string): boolean =>
      line.startsWith(text) && !/^\w\w/.test(line.slice(text.length - 1, text.length + 1));
    return this.nonBlank.filter((line) => startsWithText(this.file.lines[line]?.trimStart() ?? ""));
  }
}

function withoutSpace(line: string): string {
  return line.replace(/\s+/g, "");
}

/** Whether a line has letters or digits. Lines like "}" say nothing about where they are. */
export function hasWordCharacter(line: string): boolean {
  return /\p{L}|\d/u.test(line);
}
