/** The faults and modes set for one server. */
export class ServerScript<F, M> {
  #modes: M;
  readonly #initial: M;
  #queue: F[] = [];
  #constant: F | undefined;

  constructor(modes: M) {
    this.#modes = modes;
    this.#initial = modes;
  }

  get modes(): M {
    return this.#modes;
  }

  /** Applies a fault to the next `count` requests. Calls queue up. */
  next(count: number, fault: F): void {
    for (let left = count; left > 0; left -= 1) this.#queue.push(fault);
  }

  /** Applies a fault to every request once the queue is empty; `undefined` removes it. */
  always(fault: F | undefined): void {
    this.#constant = fault;
  }

  mode(modes: Partial<M>): void {
    this.#modes = { ...this.#modes, ...modes };
  }

  /** Takes the fault for a request: the first matching one in the queue, else the permanent one. */
  take(isFor: (fault: F) => boolean): F | undefined {
    const index = this.#queue.findIndex(isFor);
    if (index >= 0) return this.#queue.splice(index, 1)[0];
    return this.#constant !== undefined && isFor(this.#constant) ? this.#constant : undefined;
  }

  /** Clears all faults and restores the initial modes. */
  reset(): void {
    this.#queue = [];
    this.#constant = undefined;
    this.#modes = this.#initial;
  }
}
