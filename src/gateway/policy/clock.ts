import { asError } from "../abort.ts";

/** The clock used by the client. */
export interface Clock {
  /** Milliseconds since the epoch, for dates. Can jump when the system's clock is set. */
  now(): number;
  /** Milliseconds of a monotonic clock, for durations. Default: `now`. */
  elapsed?(): number;
  /** Resolves after `delay` milliseconds. Rejects with the reason of `signal`; leaves no timer behind. */
  sleep(delay: number, signal: AbortSignal): Promise<void>;
}

/** A clock with all methods. */
export type FullClock = Required<Clock>;

/** Completes a clock; `elapsed` defaults to `now`. */
export function fullClock(clock: Clock): FullClock {
  return {
    now: () => clock.now(),
    elapsed: () => clock.elapsed?.() ?? clock.now(),
    sleep: (delay, signal) => clock.sleep(delay, signal),
  };
}

/** The system's clock. */
export const systemClock: FullClock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (delay, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const end = (): void => {
        clearTimeout(timer);
        reject(asError(signal.reason));
      };
      const timer = setTimeout(() => {
        signal.removeEventListener("abort", end);
        resolve();
      }, delay);
      signal.addEventListener("abort", end, { once: true });
    }),
};
