import { asError } from "../asError.ts";

/** Time, as far as the client has to wait or to look at it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `delay` ms; rejects with the reason of `signal`, and leaves no timer behind. */
  sleep(delay: number, signal: AbortSignal): Promise<void>;
}

/** The real time. */
export const systemClock: Clock = {
  now: () => Date.now(),
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
