import type Mocha from "mocha";
import { inspect } from "node:util";

/** The results of a run of tests. */
export interface Counts {
  /** The titles of those that passed. */
  readonly passed: readonly string[];
  /** The titles of those that failed, each with its error. */
  readonly failures: readonly string[];
  readonly skipped: number;
  /** What had a second attempt: a test, with the error of its first, or a key that a test pressed again. */
  readonly secondAttempts: readonly string[];
  /** The list of the tests, where it was not printed while they ran. */
  readonly list?: string;
}

/** Runs tests and collects their results. */
export async function runCounted(mocha: Mocha): Promise<Counts> {
  const passed: string[] = [];
  const secondAttempts: string[] = [];
  const failures: string[] = [];
  const { stats } = await new Promise<Mocha.Runner>((resolve) => {
    const runner = mocha.run(() => {
      resolve(runner);
    });
    runner.on("pass", (test) => {
      passed.push(test.fullTitle());
    });
    runner.on("retry", (test: Mocha.Test, error: unknown) => secondAttempts.push(describeError(test, error)));
    runner.on("fail", (test, error: unknown) => failures.push(describeError(test, error)));
  });
  return { passed, failures, skipped: stats?.pending ?? 0, secondAttempts };
}

/** A test and its error, without the properties of the error, which repeat its message. */
function describeError(test: Mocha.Runnable, error: unknown): string {
  // The process of a test sends an error as an object.
  const { stack } = Object(error) as { readonly stack?: string };
  return `${test.fullTitle()}\n${stack ?? inspect(error)}`;
}

/** The results of several runs. */
export function sum(all: readonly Counts[]): Counts {
  return {
    passed: all.flatMap(({ passed }) => passed),
    failures: all.flatMap(({ failures }) => failures),
    skipped: all.reduce((count, { skipped }) => count + skipped, 0),
    secondAttempts: all.flatMap(({ secondAttempts }) => secondAttempts),
  };
}

/** `N passed, N failed`, and the skipped ones if there are any, below those that failed or had a second attempt. */
export function describeCounts({ passed, failures, skipped, secondAttempts }: Counts): string {
  const counts = `${passed.length} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
  const repeated = secondAttempts.map((attempt) => `second attempt: ${attempt}`);
  return [...failures.map((failure) => `failed: ${failure}`), ...repeated, counts].join("\n");
}
