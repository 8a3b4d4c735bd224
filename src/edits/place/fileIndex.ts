import { indentOf, hasText } from "../../text/lines.ts";
import { runStarts } from "../../text/runStarts.ts";
import type { FileText } from "../change/fileText.ts";

/** The most lines that one answer may compare. It takes less than 100 ms, so that no input takes long. */
const mostSteps = 5_000_000;

/** Limits the work for one answer. */
export class Budget {
  #left = mostSteps;

  /** Takes steps; `false` if there are not enough left. */
  take(steps: number): boolean {
    this.#left -= steps;
    return this.#left >= 0;
  }
}

/** A file's lines, ready to be searched for lines that look alike. Blank lines are left out. */
export class FileIndex {
  readonly file: FileText;
  readonly budget: Budget;
  /** The numbers of the lines that are not blank. */
  readonly filled: readonly number[];
  /** Each look of a line by number; the number of each filled line's look, and where in `filled` it is found. */
  readonly #ids = new Map<string, number>();
  readonly #looks: readonly number[];
  readonly #positions: number[][] = [];
  #indents: ReadonlySet<string> | undefined;

  constructor(file: FileText, budget: Budget) {
    const { lines } = file;
    this.file = file;
    this.budget = budget;
    this.filled = lines.flatMap((line, index) => (hasText(line) ? [index] : []));
    this.#looks = this.filled.map((line, position) => {
      const look = normalize(lines[line] ?? "");
      const id = this.#ids.get(look) ?? this.#ids.size;
      this.#ids.set(look, id);
      (this.#positions[id] ??= []).push(position);
      return id;
    });
  }

  /** Each indentation, apart from the blank that aligns the lines of comments. */
  get indents(): ReadonlySet<string> {
    const indentsIn = (lines: readonly string[]): ReadonlySet<string> =>
      new Set(
        this.filled.map((line) => lines[line] ?? "").flatMap((line) => (/^\s*\*/.test(line) ? [] : indentOf(line))),
      );
    return (this.#indents ??= indentsIn(this.file.lines));
  }

  /** Where lines that are not blank stand in a row, by position in `filled`, with any white space. `undefined` over the budget. */
  find(lines: readonly string[]): readonly number[] | undefined {
    const looks = lines.map((line) => this.#ids.get(normalize(line)) ?? -1);
    const places = looks.map((look) => this.#positions[look] ?? []);
    const rarest = places.reduce((least, one, at) => (one.length < (places[least]?.length ?? 0) ? at : least), 0);
    const [tries, scan] = [(places[rarest]?.length ?? 0) * looks.length, this.#looks.length + looks.length];
    if (tries === 0) return [];
    if (!this.budget.take(Math.min(tries, scan))) return undefined;
    if (tries > scan) return [...runStarts(this.#looks, looks)];
    const starts = (places[rarest] ?? []).map((position) => position - rarest);
    return starts.filter((start) => start >= 0 && looks.every((look, at) => this.#looks[start + at] === look));
  }

  /** The lines that look like this one or, without any, those that start with it. */
  linesLike(text: string): readonly number[] {
    const equal = this.#positions[this.#ids.get(normalize(text)) ?? -1] ?? [];
    if (equal.length > 0 || !hasText(text) || !this.budget.take(this.filled.length)) {
      return equal.map((position) => this.filled[position] ?? 0);
    }
    return this.filled.filter((line) => this.file.lines[line]?.trimStart().startsWith(text.trim()));
  }
}

/** What is the same of two lines that differ only in white space. */
function normalize(line: string): string {
  return line.replace(/\s+/g, "");
}

/** Whether a line says something about its place. Lines like "}" are often there twice, with other indentation. */
export function hasWordCharacter(line: string): boolean {
  return /\p{L}|\d/u.test(line);
}
