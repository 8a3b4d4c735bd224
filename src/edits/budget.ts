/** Maximum number of lines that one answer may compare. It takes about 100 ms. */
const mostSteps = 12_000_000;

/** Limits the work for one answer, so that no input takes long. */
export class Budget {
  #left = mostSteps;

  /** Takes steps; `false` if there are not enough left. */
  take(steps: number): boolean {
    this.#left -= steps;
    return this.#left >= 0;
  }
}
