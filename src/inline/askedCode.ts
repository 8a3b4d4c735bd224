import type { LineRange } from "../text/lineRange.ts";
import { isUnique, locate, type LocatedLines, locateOrTracked } from "./locate.ts";

/** The code in question and its document, as the model read them. */
export class AskedCode {
  /** All lines of the document. */
  readonly document: readonly string[];
  /** The lines in question. */
  readonly lines: readonly string[];
  /** Whether these occurred only once in the document. */
  readonly #wasUnique: boolean;

  constructor(document: readonly string[], { start, end }: LineRange) {
    this.document = document;
    this.lines = document.slice(start, end);
    this.#wasUnique = isUnique(document, this.lines);
  }

  /** Where the lines are in the document as it is now. */
  locate(now: readonly string[], tracked: LineRange): LocatedLines {
    return locate(now, this.lines, tracked, this.#wasUnique);
  }

  /** The same or, if they are not found, their tracked position. Not for overwriting. */
  locateOrTracked(now: readonly string[], tracked: LineRange): LineRange {
    return locateOrTracked(now, this.lines, tracked, this.#wasUnique);
  }
}
