import type { Clock } from "../../../src/gateway/policy/clock.ts";

/** A clock whose waits take no time and are recorded. */
export interface FakeClock extends Clock {
  readonly waits: readonly number[];
  advance(milliseconds: number): void;
}

/** A clock that starts at `time`, in milliseconds since the epoch. */
export function fakeClock(time = Date.UTC(2030, 0, 1)): FakeClock {
  const waits: number[] = [];
  let now = time;
  return {
    waits,
    now: () => now,
    advance: (milliseconds) => void (now += milliseconds),
    sleep: (delay, signal) => {
      signal.throwIfAborted();
      waits.push(delay);
      now += delay;
      return Promise.resolve();
    },
  };
}
