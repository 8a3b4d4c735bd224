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

/**
 * Minimum time between two updates, in milliseconds. VS Code debounces comment threads by 100 ms
 * (`ExtHostCommentThread`, VS Code 1.139.1), so faster updates would never show.
 */
const shortest = 120;
/** Characters per extra millisecond between updates, because long answers take longer to render. */
const charactersPerMillisecond = 50;

/**
 * Throttles updates of a growing text. The first one is immediate. Later ones wait until the user pauses typing, because
 * VS Code renders the whole text anew and holds up keys meanwhile: 60 ms for 30 lines (measured in VS Code 1.139).
 */
export class RefreshThrottle {
  readonly #paint: () => void;
  readonly #typing: TypingPauses;
  #length = 0;
  #timer: NodeJS.Timeout | undefined;
  #isWaiting = false;

  constructor(paint: () => void, typing: TypingPauses) {
    this.#paint = paint;
    this.#typing = typing;
  }

  /** Reports the number of characters added. */
  add(characters: number): void {
    const isFirst = this.#length === 0;
    this.#length += characters;
    if (isFirst) this.#paintNow();
    else if (this.#timer === undefined) this.#paintInPause();
  }

  /** Cancels pending updates. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#typing.drop(this.#paintNow);
  }

  #paintInPause(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#typing.wait(this.#paintNow);
  }

  readonly #paintNow = (): void => {
    this.#isWaiting = false;
    const painted = this.#length;
    this.#paint();
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        if (this.#length !== painted) this.#paintInPause();
      },
      shortest + painted / charactersPerMillisecond,
    );
  };
}
