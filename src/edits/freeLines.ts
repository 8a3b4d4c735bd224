import type { Run } from "./placeRuns.ts";

/** Keeps track of the lines of a file that edits change, so that no two change the same ones. In linear time. */
export class FreeLines {
  /** For each line, the number of the run that replaces it. */
  readonly #owners: Int32Array;
  /** Where lines are inserted. */
  readonly #inserted = new Set<number>();
  #count = 0;

  constructor(lineCount: number) {
    this.#owners = new Int32Array(lineCount + 1);
  }

  /** Takes the lines of all runs of an edit; `false` if not all of them are free. */
  take(runs: readonly Run[]): boolean {
    if (!runs.every((run) => this.#isFree(run))) return false;
    for (const { start, end } of runs) {
      this.#count += 1;
      if (start === end) this.#inserted.add(start);
      else this.#owners.fill(this.#count, start, end);
    }
    return true;
  }

  #isFree({ start, end }: Run): boolean {
    if (start === end) {
      const [above, below] = [this.#owners[start - 1], this.#owners[start]];
      return !this.#inserted.has(start) && (above !== below || (below ?? 0) === 0);
    }
    for (let line = start; line < end; line += 1) {
      if (this.#owners[line] !== 0 || (line > start && this.#inserted.has(line))) return false;
    }
    return true;
  }
}
