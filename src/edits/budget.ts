/** The longest answer whose edits are read, in characters. VS Code shows 100,000, and nothing else is applied. */
export const longestAnswer = 500_000;

/** Maximum number of lines that one answer may compare. It takes less than 100 ms. */
const mostSteps = 5_000_000;

/** Limits the work for one answer, so that no input takes long. */
export class Budget {
  #left = mostSteps;

  /** Takes steps; `false` if there are not enough left. */
  take(steps: number): boolean {
    this.#left -= steps;
    return this.#left >= 0;
  }
}
