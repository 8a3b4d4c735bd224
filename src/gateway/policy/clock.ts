import { asError } from "../abort.ts";

/** Time, as far as the client has to wait or to look at it. */
export interface Clock {
  /** Milliseconds since the epoch: for dates, which are set back and forward. */
  now(): number;
  /** Milliseconds since some moment: for durations, whatever becomes of the date. Default: `now`. */
  elapsed?(): number;
  /** Resolves after `delay` ms; rejects with the reason of `signal`, and leaves no timer behind. */
  sleep(delay: number, signal: AbortSignal): Promise<void>;
}

/** A clock that has everything. */
export type FullClock = Required<Clock>;

/** The same clock, which takes durations from the date where it has nothing better. */
export function fullClock(clock: Clock): FullClock {
  return {
    now: () => clock.now(),
    elapsed: () => clock.elapsed?.() ?? clock.now(),
    sleep: (delay, signal) => clock.sleep(delay, signal),
  };
}

/** The real time. */
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
