/** Times in milliseconds. */
interface Times {
  /** How long after a key a typist is taken to have paused. */
  readonly pause: number;
  /** Maximum time that typing without a pause can put something off. */
  readonly longest: number;
}

/**
 * Puts off what can wait until the user pauses typing. What several places have put off is done together. Has no
 * dependency on VS Code.
 */
export class TypingPauses {
  readonly #times: Times;
  readonly #waiting = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #lastKey = -Infinity;
  /** When the user began to type, or something was done although they typed. */
  #began = -Infinity;

  constructor(times: Times = { pause: 500, longest: 10_000 }) {
    this.#times = times;
  }

  get isTyping(): boolean {
    return performance.now() - this.#lastKey < this.#times.pause;
  }

  /** Notes that the user has typed something. */
  note(): void {
    const isFirst = !this.isTyping;
    this.#lastKey = performance.now();
    if (isFirst) this.#began = this.#lastKey;
  }

  /** Does something in the next pause: now, if there is one. */
  wait(action: () => void): void {
    if (!this.isTyping) {
      action();
      return;
    }
    this.#waiting.add(action);
    this.#timer ??= this.#start();
  }

  /** Forgets what was put off. */
  drop(action: () => void): void {
    this.#waiting.delete(action);
    if (this.#waiting.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #start(): NodeJS.Timeout {
    const { pause, longest } = this.#times;
    const end = Math.min(this.#lastKey + pause, this.#began + longest);
    return setTimeout(
      () => {
        this.#timer = undefined;
        this.#check();
      },
      Math.ceil(end - performance.now()),
    );
  }

  #check(): void {
    const now = performance.now();
    if (this.isTyping && now - this.#began < this.#times.longest) {
      this.#timer = this.#start();
      return;
    }
    this.#began = now;
    const actions = [...this.#waiting];
    this.#waiting.clear();
    for (const action of actions) action();
  }
}
