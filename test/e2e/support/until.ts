import { setTimeout as pause } from "node:timers/promises";

/** How long a person would wait for VS Code before giving up, in milliseconds. */
export const patience = 30_000;

/** Asks again and again until the probe gives something other than `undefined`; fails with what it was waiting for. */
export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined> | T | undefined,
  timeout = patience,
): Promise<T> {
  const end = Date.now() + timeout;
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`Waited ${timeout / 1000} s in vain for ${what}.`);
    await pause(50);
  }
}

/** `true` once this has succeeded, `undefined` where it fails: for attempts that `until` makes again. */
export async function succeeded(attempt: Promise<unknown>): Promise<true | undefined> {
  return attempt.then(
    () => true,
    () => undefined,
  );
}
