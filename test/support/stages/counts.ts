/** The numbers of tests by result. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The sum over several stages. */
export function sum(all: readonly Counts[]): Counts {
  const total = (which: keyof Counts): number => all.reduce((count, counts) => count + counts[which], 0);
  return { passed: total("passed"), failed: total("failed"), skipped: total("skipped") };
}

/** `N passed, N failed`, with the skipped ones if there are any. */
export function describeCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** Reads counts that come from another process. */
export function asCounts(value: unknown): Counts | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { passed, failed, skipped }: Partial<Record<keyof Counts, unknown>> = value;
  if (typeof passed !== "number" || typeof failed !== "number" || typeof skipped !== "number") return undefined;
  return { passed, failed, skipped };
}
