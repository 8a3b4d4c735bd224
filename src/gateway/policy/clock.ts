import { setTimeout } from "node:timers/promises";
import { asError } from "../abort.ts";

/** The clock used by the client. */
export interface Clock {
  /** Milliseconds since the epoch, for dates. Can jump when the system's clock is set. */
  now(): number;
  /** Milliseconds of a monotonic clock, for durations. */
  elapsed(): number;
  /** Resolves after `delay` milliseconds. Rejects with the reason of `signal`; leaves no timer behind. */
  sleep(delay: number, signal: AbortSignal): Promise<void>;
}

/** The system's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (delay, signal) =>
    setTimeout(delay, undefined, { signal }).catch(() => {
      throw asError(signal.reason);
    }),
};
