/** Detects pauses in typing. Has no dependency on VS Code. */
export class TypingPauses {
  /** Time without a key that counts as a pause, in milliseconds. */
  readonly #pause: number;
  #lastKey = -Infinity;

  constructor(pause = 500) {
    this.#pause = pause;
  }

  /** Notes that the user has typed something. */
  note(): void {
    this.#lastKey = performance.now();
  }

  /** The milliseconds until the next pause, unless the user types more. */
  get remaining(): number {
    return Math.max(0, this.#lastKey + this.#pause - performance.now());
  }
}

/** Minimum milliseconds between updates. VS Code shows no faster ones (`ExtHostCommentThread`, 1.139.1: 100 ms). */
const minInterval = 120;
/** Characters per extra millisecond between updates, because long answers take longer to render. */
const charactersPerMillisecond = 50;

/**
 * Throttles updates of a growing text. The first one is immediate. Later ones wait until the user pauses typing, because VS
 * Code renders the whole text again and delays keys while it does: 60 ms for 30 lines (measured in VS Code 1.139).
 */
export class RefreshThrottle {
  readonly #paint: () => void;
  readonly #typing: TypingPauses;
  /** Maximum time for which typing without a pause delays an update, in milliseconds. */
  readonly #maxDelay: number;
  #length = 0;
  #painted = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(paint: () => void, typing: TypingPauses, maxDelay = 10_000) {
    this.#paint = paint;
    this.#typing = typing;
    this.#maxDelay = maxDelay;
  }

  /** Reports the number of characters added. */
  add(characters: number): void {
    const isFirst = this.#length === 0;
    this.#length += characters;
    if (isFirst) this.#paintNow();
    else this.#timer ??= this.#wait(this.#painted + minInterval + this.#length / charactersPerMillisecond);
  }

  /** Cancels pending updates. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(until: number): NodeJS.Timeout {
    return setTimeout(() => {
      const latest = this.#painted + this.#maxDelay;
      const { remaining } = this.#typing;
      if (remaining > 0 && performance.now() < latest)
        this.#timer = this.#wait(Math.min(performance.now() + remaining, latest));
      else this.#paintNow();
    }, until - performance.now());
  }

  #paintNow(): void {
    this.#timer = undefined;
    this.#paint();
    this.#painted = performance.now();
  }
}
