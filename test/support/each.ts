import assert from "node:assert/strict";

/** The tests of a table. */
interface Rows<Given extends readonly unknown[], Result> {
  /** What is given comes to the result of its row, at once or later. */
  readonly gives: (make: (...given: Given) => unknown) => void;
  /** Each row holds. */
  readonly hold: (check: (...cells: readonly [...Given, Result]) => unknown) => void;
}

/** Makes a test of each row of a table: its title, what is given, and what has to come of it. */
export function each<Given extends readonly unknown[], Result>(
  rows: readonly (readonly [title: string, ...given: Given, result: Result])[],
): Rows<Given, Result> {
  const hold: Rows<Given, Result>["hold"] = (check) => {
    for (const [title, ...cells] of rows) it(title, () => check(...(cells as readonly [...Given, Result])));
  };
  const gives: Rows<Given, Result>["gives"] = (make) => {
    hold(async (...cells) => {
      assert.deepEqual(await make(...(cells.slice(0, -1) as unknown as Given)), cells.at(-1));
    });
  };
  return { hold, gives };
}
