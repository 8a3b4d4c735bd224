/** Where a step stands in its row, from 1. */
export interface Place {
  readonly number: number;
  readonly count: number;
}

/** What a step leaves: the draft with what was entered so far, and which step follows. */
export interface StepResult<T> {
  readonly draft: T;
  readonly goesTo: "next" | "previous" | "same";
}

/** One question. It ends with the draft, or with `undefined` when the user gives up. */
export type Step<T> = (draft: T, place: Place) => Promise<StepResult<T> | undefined>;

const moves = { next: 1, previous: -1, same: 0 } as const;

/** Asks the questions in a row, forwards and backwards, and gives the whole draft; `undefined` when the user gives up. */
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
