import { setImmediate } from "node:timers/promises";
import { asError } from "../../../src/gateway/abort.ts";
import type { Clock } from "../../../src/gateway/policy/clock.ts";

/** A clock that stands still until it is moved, and then wakes everyone in the right order. */
export class VirtualClock implements Clock {
  #time = 0;
  #sleepers: { readonly at: number; readonly wake: () => void }[] = [];

  now(): number {
    return this.#time;
  }

  elapsed(): number {
    return this.#time;
  }

  sleep(delay: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const end = (): void => {
        this.#sleepers = this.#sleepers.filter((one) => one !== sleeper);
        reject(asError(signal.reason));
      };
      const wake = (): void => {
        signal.removeEventListener("abort", end);
        resolve();
      };
      const sleeper = { at: this.#time + delay, wake };
      this.#sleepers.push(sleeper);
      signal.addEventListener("abort", end, { once: true });
    });
  }

  /** Moves the clock to a time, in milliseconds, and lets everything happen that is due until then. */
  async moveTo(time: number): Promise<void> {
    await setImmediate();
    for (;;) {
      const [first] = this.#sleepers.filter(({ at }) => at <= time).sort((a, b) => a.at - b.at);
      if (!first) break;
      this.#sleepers = this.#sleepers.filter((one) => one !== first);
      this.#time = Math.max(this.#time, first.at);
      first.wake();
      await setImmediate();
    }
    this.#time = Math.max(this.#time, time);
  }
}
