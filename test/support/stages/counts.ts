import type Mocha from "mocha";
import { inspect } from "node:util";

/** What became of tests. */
export interface Counts {
  /** The titles of those that passed. */
  readonly passed: readonly string[];
  readonly failed: number;
  readonly skipped: number;
  /** The titles of those that passed at the second attempt only. */
  readonly secondAttempts: readonly string[];
  /** The titles of those that failed, each with its error. */
  readonly failures: readonly string[];
}

/** Runs tests, and tells of failures that are tried again, about which mocha's reporter keeps quiet. */
export async function runCounted(mocha: Mocha, tell: (text: string) => unknown = console.log): Promise<Counts> {
  const passed: string[] = [];
  const secondAttempts: string[] = [];
  const failures: string[] = [];
  const { stats } = await new Promise<Mocha.Runner>((resolve) => {
    const runner = mocha.run(() => {
      resolve(runner);
    });
    runner.on("retry", (test: Mocha.Test, error: unknown) => {
      tell(`    failed at the first attempt: ${described(test, error)}`);
    });
    runner.on("pass", (test) => {
      passed.push(test.fullTitle());
      if (isSecondAttempt(test)) secondAttempts.push(test.fullTitle());
    });
    runner.on("fail", (test, error: unknown) => failures.push(described(test, error)));
  });
  const { failures: failed = 1, pending: skipped = 0 } = stats ?? {};
  return { passed, failed, skipped, secondAttempts, failures };
}

/** A test and its error, without the properties of the error, which repeat its message. */
function described(test: Mocha.Runnable, error: unknown): string {
  const said = error instanceof Error && error.stack !== undefined ? error.stack : inspect(error);
  return `${test.fullTitle()}\n${said}`;
}

/** The sum over several stages. */
export function sum(all: readonly Counts[]): Counts {
  const total = (which: "failed" | "skipped"): number => all.reduce((count, counts) => count + counts[which], 0);
  return {
    passed: all.flatMap(({ passed }) => passed),
    failed: total("failed"),
    skipped: total("skipped"),
    secondAttempts: all.flatMap(({ secondAttempts }) => secondAttempts),
    failures: all.flatMap(({ failures }) => failures),
  };
}

/** `N passed, N failed`, and the skipped ones if there are any, below those that failed or needed a second attempt. */
export function describeCounts({ passed, failed, skipped, secondAttempts, failures }: Counts): string {
  const counts = `${passed.length} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
  const again = secondAttempts.map((title) => `passed at the second attempt: ${title}`);
  return [...failures.map((failure) => `failed: ${failure}`), ...again, counts].join("\n");
}

/** Whether a test runs again because it failed. */
export function isSecondAttempt(test: Mocha.Test): boolean {
  // Not in the types of mocha (DefinitelyTyped), but in its documented API.
  return (test as Mocha.Test & { currentRetry(): number }).currentRetry() > 0;
}
