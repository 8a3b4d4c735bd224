import { appendFileSync } from "node:fs";

/** Environment variable with the file in which all processes of the end-to-end stage write what they try again. */
export const secondAttemptsVariable = "CODEX_GATEWAY_TEST_SECOND_ATTEMPTS";

/** Writes down what a test does a second time. */
export function noteSecondAttempt(what: string): void {
  const file = process.env[secondAttemptsVariable];
  if (file) appendFileSync(file, `${JSON.stringify(what)}\n`);
}
