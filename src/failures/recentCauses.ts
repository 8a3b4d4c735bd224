/** Remembers recently shown causes, so that several requests failing together show one notification. */
export class RecentCauses {
  readonly #shownAt = new Map<string, number>();
  readonly #now: () => number;
  readonly #window: number;

  /** `window` in milliseconds. */
  constructor(now: () => number, window: number) {
    this.#now = now;
    this.#window = window;
  }

  /** Whether the cause was shown within the window. */
  has(cause: string): boolean {
    const now = this.#now();
    for (const [shown, time] of this.#shownAt) if (now - time >= this.#window) this.#shownAt.delete(shown);
    return this.#shownAt.has(cause);
  }

  /** Whether the cause was not shown within the window. Records it as shown. */
  isNew(cause: string): boolean {
    if (this.has(cause)) return false;
    this.#shownAt.set(cause, this.#now());
    return true;
  }

  /** Allows the cause again, after the user has reacted to it. */
  forget(cause: string): void {
    this.#shownAt.delete(cause);
  }
}
