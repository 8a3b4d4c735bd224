/** The position of a step, one-based, and the number of steps. */
export interface Place {
  readonly number: number;
  readonly count: number;
}

/** The result of a step: the updated draft, and which step follows. */
export interface StepResult<T> {
  readonly draft: T;
  readonly goesTo: "next" | "previous" | "same";
}

/** One step. Returns the updated draft, or `undefined` if the user cancels. */
export type Step<T> = (draft: T, place: Place) => Promise<StepResult<T> | undefined>;

const moves = { next: 1, previous: -1, same: 0 } as const;

/** Runs the steps, forwards and backwards, and returns the final draft; `undefined` if the user cancels. */
export async function runSteps<T>(start: T, steps: readonly Step<T>[]): Promise<T | undefined> {
  let draft = start;
  let index = 0;
  for (;;) {
    const step = steps[index];
    if (step === undefined) return draft;
    const result = await step(draft, { number: index + 1, count: steps.length });
    if (result === undefined) return undefined;
    draft = result.draft;
    index = Math.max(0, index + moves[result.goesTo]);
  }
}
