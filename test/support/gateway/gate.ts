/** Holds answers until they are released. */
export class Gate {
  readonly #held = new Set<() => void>();

  get size(): number {
    return this.#held.size;
  }

  /** Waits for `release()`, or for the end of `signal`. */
  async wait(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const letGo = (): void => {
      resolve(undefined);
    };
    this.#held.add(letGo);
    signal.addEventListener("abort", letGo, { once: true });
    try {
      await promise;
      signal.throwIfAborted();
    } finally {
      this.#held.delete(letGo);
      signal.removeEventListener("abort", letGo);
    }
  }

  /** Releases the oldest `count` held answers, or all. */
  release(count = Infinity): void {
    for (const letGo of [...this.#held].slice(0, count)) {
      this.#held.delete(letGo);
      letGo();
    }
  }
}
