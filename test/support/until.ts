import { setTimeout as pause } from "node:timers/promises";

/** How long to wait by default, in milliseconds: long enough for a busy machine. */
const usualTimeout = 30_000;

/** Probes until the result is neither `undefined` nor `false`, and returns it. Rejects with `what` after the timeout. */
export async function until<T>(
  probe: () => Promise<T | undefined | false> | T | undefined | false,
  what = String(probe),
  { timeout = usualTimeout, interval = 5 }: { readonly timeout?: number; readonly interval?: number } = {},
): Promise<T> {
  const end = Date.now() + timeout;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`Waited ${timeout / 1000} s in vain for ${what}.`);
    await pause(interval);
  }
}
