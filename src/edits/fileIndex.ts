import type { FileText } from "./fileText.ts";
import { type IndentStyle, indentStyle } from "./indentStyle.ts";
import { LineIndex } from "./lineIndex.ts";

/** What is ignored when lines are compared, from nothing to all white space. */
export type Likeness = "exact" | "trailing" | "indentation" | "whitespace";

const keys: Readonly<Record<Likeness, (line: string) => string>> = {
  exact: (line) => line,
  trailing: (line) => line.trimEnd(),
  indentation: (line) => line.trim(),
  whitespace: (line) => line.replace(/\s+/g, ""),
};

/** What is compared of a line. */
export function keyOf(line: string, likeness: Likeness): string {
  return keys[likeness](line);
}

/** How often the whole file is searched for the start of a line. */
const mostScans = 100;

/** A file's lines, ready to be searched in several ways. */
export class FileIndex {
  readonly file: FileText;
  readonly #indexes = new Map<Likeness | "filled", LineIndex>();
  #filled: readonly number[] | undefined;
  #scans = 0;
  #style: IndentStyle | undefined;

  constructor(file: FileText) {
    this.file = file;
  }

  by(likeness: Likeness): LineIndex {
    return this.#indexOf(likeness, () => this.file.lines.map(keys[likeness]));
  }

  /** The lines that are not blank, without white space. Their positions count in `filledLines`. */
  get filled(): LineIndex {
    return this.#indexOf("filled", () => this.filledLines.map((line) => keys.whitespace(this.file.lines[line] ?? "")));
  }

  /** The numbers of the lines that are not blank. */
  get filledLines(): readonly number[] {
    this.#filled ??= this.file.lines.flatMap((line, index) => (line.trim() === "" ? [] : [index]));
    return this.#filled;
  }

  /** How the file is indented. */
  get style(): IndentStyle {
    this.#style ??= indentStyle(this.file.lines);
    return this.#style;
  }

  /** The lines with this text or, without any, those that start with it. */
  linesLike(text: string): readonly number[] {
    const equal = this.by("indentation").positionsOf(text.trim());
    if (equal.length > 0 || text.trim() === "" || this.#scans >= mostScans) return equal;
    this.#scans += 1;
    return this.file.lines.flatMap((line, index) => (line.trimStart().startsWith(text.trim()) ? [index] : []));
  }

  #indexOf(name: Likeness | "filled", linesOf: () => readonly string[]): LineIndex {
    const index = this.#indexes.get(name) ?? new LineIndex(linesOf());
    this.#indexes.set(name, index);
    return index;
  }
}
