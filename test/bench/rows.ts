/** One line of the table, as `dist/bench.json` has it. The name says what `reference` is. */
export interface Row {
  readonly name: string;
  readonly unit: "ms" | "MB" | "KB" | "%" | "×";
  readonly ours: number;
  readonly reference: number;
  readonly ratio: number;
  /** The limit of `ratio`, if it has one. Not a part of the file. */
  readonly limit?: number | undefined;
}

/** A group of rows, measured one after the other. */
export type Group = (url: string) => Promise<readonly Row[]>;

/** Makes a row from the measurements of both sides. Fractions are kept to a thousandth. */
export function row(
  name: string,
  unit: Row["unit"],
  ours: readonly number[],
  reference: readonly number[],
  limit?: number,
): Row {
  const [mine, theirs] = [median(ours), median(reference)];
  return { name, unit, ours: rounded(mine), reference: rounded(theirs), ratio: rounded(mine / theirs), limit };
}

/** The middle one of some measurements. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle) - 1] ?? NaN)) / 2;
}

/** The value that 95 of 100 measurements do not exceed. */
export function percentile95(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? NaN;
}

/** How long something takes, in milliseconds. */
export async function duration(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

/** How long it takes until the first text of an answer is there, in milliseconds. */
export async function timeToText(ask: (onText: (text: string) => void) => Promise<void>): Promise<number> {
  const start = performance.now();
  let first = 0;
  await ask((text) => {
    if (text !== "") first ||= performance.now() - start;
  });
  return first;
}
/** The first time in a window, and later ones, in milliseconds. */
export interface Times {
  readonly first: number[];
  readonly later: number[];
}

export function noTimes(): Times {
  return { first: [], later: [] };
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
