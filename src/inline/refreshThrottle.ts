import type { TypingPauses } from "./typingPauses.ts";

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
