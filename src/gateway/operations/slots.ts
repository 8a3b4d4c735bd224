import { asError } from "../abort.ts";

/** Limits the number of concurrent tasks; the others queue. A task that takes long runs on without its slot. */
export class Slots {
  readonly #longest: number;
  #free: number;
  readonly #line = new Set<() => void>();

  /** `longest`: for how many milliseconds a task has its slot. */
  constructor(count: number, longest = Infinity) {
    this.#longest = longest;
    this.#free = count;
  }

  /** Runs the task when a slot is free. Throws what the task throws, or the reason of `signal` while waiting. */
  async run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#take(signal);
    let isHeld = true;
    const release = (): void => {
      if (isHeld) this.#release();
      isHeld = false;
    };
    const timer = this.#longest === Infinity ? undefined : setTimeout(release, this.#longest);
    try {
      return await task();
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  async #take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const begin = (): void => {
      signal.removeEventListener("abort", leave);
      resolve(undefined);
    };
    const leave = (): void => {
      this.#line.delete(begin);
      reject(asError(signal.reason));
    };
    this.#line.add(begin);
    signal.addEventListener("abort", leave, { once: true });
    await promise;
  }

  #release(): void {
    const [next] = this.#line;
    if (next === undefined) {
      this.#free += 1;
      return;
    }
    this.#line.delete(next);
    next();
  }
}
