import { inspect } from "node:util";

/** What this needs of mocha's runner. */
interface Runner {
  on(event: "retry", listener: (test: Test, error: unknown) => void): unknown;
  on(event: "pass", listener: (test: Test) => void): unknown;
}

interface Test {
  fullTitle(): string;
  currentRetry(): number;
}

/**
 * Collects the titles of the tests that pass at their second attempt. Mocha's reporter keeps quiet about a failure that is
 * tried again, so this tells it.
 */
export function noteSecondAttempts(runner: Runner, tell: (text: string) => void = console.log): readonly string[] {
  const titles: string[] = [];
  runner.on("retry", (test, error) => {
    tell(`    failed at the first attempt: ${test.fullTitle()}\n${stackOf(error)}`);
  });
  runner.on("pass", (test) => {
    if (test.currentRetry() > 0) titles.push(test.fullTitle());
  });
  return titles;
}

/** Without the properties of the error, which repeat its message. */
function stackOf(error: unknown): string {
  return error instanceof Error && error.stack !== undefined ? error.stack : inspect(error);
}
