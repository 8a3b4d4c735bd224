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

/** What is measured, and what it is compared with. */
export type Side = "ours" | "reference";

/**
 * Measures both sides in each round, and every other round backwards, so that neither always runs after the other. Rounds
 * that warm up come first and don't count.
 */
export async function inTurn<T>(
  { rounds, warmUps = 0 }: { readonly rounds: number; readonly warmUps?: number },
  measure: (side: Side) => Promise<T>,
): Promise<Record<Side, readonly T[]>> {
  const all: Record<Side, T[]> = { ours: [], reference: [] };
  for (let round = 0; round < warmUps + rounds; round += 1)
    for (const side of round % 2 === 0 ? (["ours", "reference"] as const) : (["reference", "ours"] as const))
      all[side].push(await measure(side));
  return { ours: all.ours.slice(warmUps), reference: all.reference.slice(warmUps) };
}

/** The middle one of some measurements. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle) - 1] ?? NaN)) / 2;
}

/** How long something takes, in milliseconds. */
export async function duration(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await action();
  return performance.now() - start;
}

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
