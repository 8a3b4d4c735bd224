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
export type Group = () => Promise<readonly Row[]>;

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
function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle) - 1] ?? NaN)) / 2;
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
