import { unlessAborted } from "../abort.ts";

/** Limits the number of concurrent tasks; the others queue. A task that takes long runs on without its slot. */
export class Slots {
  readonly #longest: number;
  #free: number;
  readonly #line: PromiseWithResolvers<undefined>[] = [];

  /** `longest`: for how many milliseconds a task has its slot. */
  constructor(count: number, longest: number) {
    this.#free = count;
    this.#longest = longest;
  }

  /** Runs the task when a slot is free. Throws what the task throws, or the reason of `signal` while waiting. */
  async run<T>(task: () => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const turn = Promise.withResolvers<undefined>();
    this.#line.push(turn);
    this.#admit();
    let isHeld = true;
    const release = (): void => {
      if (isHeld) this.#free += 1;
      isHeld = false;
      this.#admit();
    };
    try {
      await unlessAborted(turn.promise, signal);
    } catch (error) {
      const place = this.#line.indexOf(turn);
      if (place < 0) release();
      else this.#line.splice(place, 1);
      throw error;
    }
    const timer = setTimeout(release, this.#longest);
    try {
      return await task();
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  #admit(): void {
    while (this.#free > 0 && this.#line.length > 0) {
      this.#free -= 1;
      this.#line.shift()?.resolve(undefined);
    }
  }
}
