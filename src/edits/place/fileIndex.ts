import { isFilled, indentOf } from "../../text/lines.ts";
import { runStarts } from "../../text/runStarts.ts";
import type { FileText } from "../change/fileText.ts";
import { lookOf } from "./characters.ts";

/** The most lines that one answer may compare. It takes less than 100 ms, so that no input takes long. */
const mostSteps = 5_000_000;

/** How often the whole file is searched for the start of a line. */
const mostScans = 100;

/** Limits the work for one answer. */
export class Budget {
  #left = mostSteps;

  /** Takes steps; `false` if there are not enough left. */
  take(steps: number): boolean {
    this.#left -= steps;
    return this.#left >= 0;
  }
}

/** A file's lines, ready to be searched for lines that look alike. */
export class FileIndex {
  readonly file: FileText;
  #looks: Looks | undefined;
  #scans = 0;
  #style: IndentStyle | undefined;

  constructor(file: FileText) {
    this.file = file;
  }

  /** The numbers of the lines that are not blank. */
  get filled(): readonly number[] {
    return this.#index.filled;
  }

  /** How the file is indented. */
  get style(): IndentStyle {
    return (this.#style ??= indentStyle(this.file.lines));
  }

  /**
   * Where lines that are not blank stand in a row, as positions in `filled`, with any white space. `undefined` if that
   * takes more than the budget.
   */
  find(lines: readonly string[], budget: Budget): readonly number[] | undefined {
    const { ids, positions, inFile } = this.#index;
    const looks = lines.map((line) => ids.get(lookOf(line)) ?? -1);
    const places = looks.map((look) => positions[look] ?? []);
    const rarest = places.reduce((least, one, at) => (one.length < (places[least]?.length ?? 0) ? at : least), 0);
    const [tries, scan] = [(places[rarest]?.length ?? 0) * looks.length, inFile.length + looks.length];
    if (tries === 0) return [];
    if (!budget.take(Math.min(tries, scan))) return undefined;
    if (tries > scan) return [...runStarts(inFile, looks)];
    const starts = (places[rarest] ?? []).map((position) => position - rarest);
    return starts.filter((start) => start >= 0 && looks.every((look, at) => inFile[start + at] === look));
  }

  /** The lines that look like this one or, without any, those that start with it. */
  linesLike(text: string): readonly number[] {
    const { ids, positions, filled } = this.#index;
    const equal = (positions[ids.get(lookOf(text)) ?? -1] ?? []).map((position) => filled[position] ?? 0);
    if (equal.length > 0 || !isFilled(text) || this.#scans >= mostScans) return equal;
    this.#scans += 1;
    return filled.filter((line) => this.file.lines[line]?.trimStart().startsWith(text.trim()));
  }

  get #index(): Looks {
    return (this.#looks ??= looksOf(this.file.lines));
  }
}

/** What the lines of a file look like, by numbers. Blank lines are left out. */
interface Looks {
  readonly filled: readonly number[];
  readonly ids: ReadonlyMap<string, number>;
  /** The number of each filled line's look, and where in `filled` it is found. */
  readonly inFile: readonly number[];
  readonly positions: readonly (readonly number[])[];
}

function looksOf(lines: readonly string[]): Looks {
  const filled = lines.flatMap((line, index) => (isFilled(line) ? [index] : []));
  const ids = new Map<string, number>();
  const positions: number[][] = [];
  const inFile = filled.map((line, position) => {
    const look = lookOf(lines[line] ?? "");
    const id = ids.get(look) ?? ids.size;
    ids.set(look, id);
    (positions[id] ??= []).push(position);
    return id;
  });
  return { filled, ids, inFile, positions };
}

/** How lines are indented: with tabs or spaces alone, and by how many spaces. */
export interface IndentStyle {
  readonly kind: "tabs" | "spaces" | undefined;
  /** The most common step in spaces; 0 if there is none. */
  readonly unit: number;
  /** Whether hardly any line is indented by an odd number of blanks, apart from those of comments. */
  readonly isEven: boolean;
}

/** How many lines have to be indented before they count as a style. */
const fewLines = 3;

/** One in so many indented lines may be odd, because it is aligned. */
const rare = 20;

/** Finds how lines are indented. */
export function indentStyle(lines: readonly string[], least = fewLines): IndentStyle {
  let [tabs, spaces, odd, before] = [0, 0, 0, 0];
  const steps = new Map<number, number>();
  for (const line of lines) {
    if (!isFilled(line)) continue;
    const indent = indentOf(line);
    if (indent.includes("\t")) tabs += 1;
    else if (indent.length > 1) spaces += 1;
    if (!indent.includes("\t") && indent.length % 2 === 1 && line[indent.length] !== "*") odd += 1;
    const step = indent.length - before;
    before = indent.length;
    if (step > 1) steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  const [most] = [...steps].sort(([, one], [, other]) => other - one);
  const kind = tabs === 0 && spaces >= least ? "spaces" : spaces === 0 && tabs >= least ? "tabs" : undefined;
  return { kind, unit: kind === "tabs" ? 0 : (most?.[0] ?? 0), isEven: odd * rare <= spaces };
}
