import type { Test } from "mocha";

/** Whether this attempt failed. A test that gets another attempt is not marked as failed by mocha. */
export function hasFailed(test: Test | undefined): test is Test {
  return test !== undefined && test.state !== "passed" && test.state !== "pending";
}

/** Whether a test runs again because it failed. */
export function isSecondAttempt(test: Test): boolean {
  // Not in the types of mocha (DefinitelyTyped), but in its documented API.
  return (test as Test & { currentRetry(): number }).currentRetry() > 0;
}
