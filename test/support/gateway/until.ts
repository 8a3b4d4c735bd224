import { setTimeout as sleep } from "node:timers/promises";

const pollInterval = 5;

/** How long to wait, in milliseconds: long enough for a busy machine. */
const patience = 30_000;

/** Waits for a condition; rejects when that takes too long, naming the `goal`. */
export async function until(isReached: () => boolean | Promise<boolean>, goal = String(isReached)): Promise<void> {
  const deadline = Date.now() + patience;
  while (!(await isReached())) {
    if (Date.now() > deadline) throw new Error(`Waited ${patience / 1_000} s in vain for: ${goal}`);
    await sleep(pollInterval);
  }
}
