import { setTimeout as sleep } from "node:timers/promises";

const pollInterval = 5;

/** Waits until `isReached` returns true; rejects after `timeout` milliseconds, naming the `goal`. */
export async function until(isReached: () => boolean | Promise<boolean>, timeout: number, goal: string): Promise<void> {
  const deadline = Date.now() + timeout;
  while (!(await isReached())) {
    if (Date.now() > deadline) throw new Error(`The local gateway did not get there within ${timeout} ms: ${goal}`);
    await sleep(pollInterval);
  }
}
