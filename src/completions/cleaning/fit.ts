import { Nesting } from "./nesting.ts";
import { type Squeezed, squeeze } from "./overlap.ts";
import type { Place } from "./place.ts";
import { Scanner } from "./scanner.ts";

/** How much of the code after the cursor is read to see whether a text fits. */
const longestAfter = 16_384;
/** Longest text before or after the cursor that is looked for in the answer. */
export const longestEcho = 32_768;
/** Longest text that is judged. */
export const longestText = 16_384;
/** Widest indentation of a block, in columns. What is deeper is aligned with something. */
const widestUnit = 8;
/** How much code there is for each odd line in a document whose indentation can be foretold, in characters. */
const irregular = 3_000;
/** Lines after the cursor whose indentation counts. */
const fewLines = 30;

/** How well a text fits at the cursor. Only the difference between two texts says something. */
export interface Fit {
  /** Brackets and strings that do not fit. */
  readonly faults: number;
  /** Lines that are not indented as the code around them. */
  readonly indentFaults: number;
}

/** What was read before the cursor of places that are still asked about: an answer comes in many pieces. */
const reads = new WeakMap<Place, BeforeCursor>();

interface BeforeCursor {
  readonly unit: number;
  /** The unit that the document shows, if it does. */
  readonly ownUnit: number | undefined;
  readonly squeezed: Squeezed;
  readonly scanner: Scanner;
}

function readBefore({ before, code, syntax }: Place, ownUnit: number | undefined, unit: number): BeforeCursor {
  const nesting = new Nesting(code.isWhole, unit, code.isWhole && !code.isEmbedded ? 0 : undefined);
  const scanner = new Scanner(syntax, unit, nesting).feed(code.before);
  return { unit, ownUnit, squeezed: squeeze(before.slice(-longestEcho)), scanner };
}

/** Judges texts for one place. */
export class Fitter {
  readonly unit: number;
  /** The end of the text before the cursor without white space. */
  readonly squeezedBefore: Squeezed;
  readonly #place: Place;
  readonly #scanner: Scanner;
  readonly #after: string;
  readonly #isWholeAfter: boolean;
  readonly #near: string;
  readonly #judged = new Map<string, Fit>();

  /** The answer shows the indentation of a block where the document does not. */
  constructor(place: Place, answer: string) {
    this.#place = place;
    const { code } = place;
    const known = reads.get(place);
    const ownUnit = known ? known.ownUnit : unitOf(code.before.slice(-8_192), code.after.slice(0, 8_192));
    this.unit = ownUnit ?? unitOf(answer.slice(0, 4_096)) ?? 4;
    const read = known?.unit === this.unit ? known : readBefore(place, ownUnit, this.unit);
    reads.set(place, read);
    this.squeezedBefore = read.squeezed;
    this.#scanner = read.scanner;
    this.#after = code.after.slice(0, longestAfter);
    this.#isWholeAfter = code.isWholeAfter && code.isWhole && this.#after.length === code.after.length;
    this.#near = this.#after.split("\n", fewLines).join("\n");
  }

  /** A scanner that has read the code before the cursor. */
  scanner(): Scanner {
    return this.#scanner.fork();
  }

  /** Whether the document is indented as its brackets and words suggest, but for a few lines. */
  get isRegular(): boolean {
    return this.#scanner.indentFaults <= this.#place.code.before.length / irregular;
  }

  /** Judges a text. */
  judge(text: string): Fit {
    const known = this.#judged.get(text) ?? this.#judge(text);
    this.#judged.set(text, known);
    return known;
  }

  #judge(text: string): Fit {
    const scanner = this.scanner().feed(text).feed(this.#near);
    const { indentFaults } = scanner;
    scanner.feed(this.#after.slice(this.#near.length));
    const left = this.#isWholeAfter ? scanner.depth + (isOpenString(scanner.until) ? 2 : 0) : 0;
    return { faults: scanner.faults + left, indentFaults };
  }

  /** What does not fit in a text and the few lines after it. */
  costNear(text: string): number {
    const scanner = this.scanner().feed(text).feed(this.#near);
    return scanner.faults + scanner.indentFaults;
  }

  /** Whether a text fits better than another. */
  prefers(text: string, other: string): number {
    if (this.#place.syntax.layout === "none" || Math.max(text.length, other.length) > longestText) return 0;
    const [one, two] = [this.judge(text), this.judge(other)];
    return Math.sign(two.faults - one.faults || two.indentFaults - one.indentFaults);
  }
}

function isOpenString(until: string): boolean {
  return until !== "" && until !== "\n";
}

/** The indentation of a block in columns; a tab counts as one step. */
function unitOf(before: string, after = ""): number | undefined {
  const steps = new Map<number, number>();
  for (const text of [before, after]) {
    let last = text === before ? 0 : undefined;
    for (const line of text.split("\n")) {
      const indent = /^[ \t]*(?=\S)(?!\*)/.exec(line)?.[0];
      if (indent === undefined) continue;
      const step = indent.startsWith("\t") || last === undefined ? 0 : indent.length - last;
      last = indent.length;
      if (step > 1 && step <= widestUnit) steps.set(step, (steps.get(step) ?? 0) + 1);
    }
  }
  const [most] = [...steps].sort(([width, one], [otherWidth, other]) => other - one || width - otherWidth);
  return most?.[0];
}
