/**
 * Minimum time between two updates, in milliseconds. VS Code debounces comment threads by 100 ms
 * (`ExtHostCommentThread`, VS Code 1.139.1), so faster updates would never show.
 */
const shortest = 120;
/** Characters per extra millisecond between updates, because long answers take longer to render. */
const charactersPerMillisecond = 50;

/** Throttles updates of a growing text: the first one is immediate, later ones leave time for typing. */
export class RefreshThrottle {
  readonly #paint: () => void;
  #length = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(paint: () => void) {
    this.#paint = paint;
  }

  /** Reports the number of characters added. */
  add(characters: number): void {
    this.#length += characters;
    if (this.#timer === undefined) this.#paintNow();
  }

  /** Cancels pending updates. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #paintNow(): void {
    const painted = this.#length;
    this.#paint();
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        if (this.#length !== painted) this.#paintNow();
      },
      shortest + painted / charactersPerMillisecond,
    );
  }
}
