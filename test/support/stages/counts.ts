import type { Test } from "mocha";

/** The numbers of tests by result. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The titles of those that passed at the second attempt only. */
  readonly secondAttempts: readonly string[];
  /** The titles of those that failed, each with its error. */
  readonly failures: readonly string[];
}

/** The sum over several stages. */
export function sum(all: readonly Counts[]): Counts {
  const total = (which: "passed" | "failed" | "skipped"): number =>
    all.reduce((count, counts) => count + counts[which], 0);
  return {
    passed: total("passed"),
    failed: total("failed"),
    skipped: total("skipped"),
    secondAttempts: all.flatMap(({ secondAttempts }) => secondAttempts),
    failures: all.flatMap(({ failures }) => failures),
  };
}

/** `N passed, N failed`, and the skipped ones if there are any, below those that failed or needed a second attempt. */
export function describeCounts({ passed, failed, skipped, secondAttempts, failures }: Counts): string {
  const counts = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
  const again = secondAttempts.map((title) => `passed at the second attempt: ${title}`);
  return [...failures.map((failure) => `failed: ${failure}`), ...again, counts].join("\n");
}

/** Whether a test runs again because it failed. */
export function isSecondAttempt(test: Test): boolean {
  // Not in the types of mocha (DefinitelyTyped), but in its documented API.
  return (test as Test & { currentRetry(): number }).currentRetry() > 0;
}
