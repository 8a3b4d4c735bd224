/** Shortest time between two paints, in milliseconds. VS Code waits for 100 ms without news before it shows any. */
const shortest = 120;
/** A long answer takes longer to render, so it is painted less often: one more millisecond for so many characters. */
const charactersPerMillisecond = 50;

/** Paints a growing text: the first piece at once, then at a pace that leaves time for typing. */
export class RefreshThrottle {
  readonly #paint: () => void;
  #length = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(paint: () => void) {
    this.#paint = paint;
  }

  /** The text has grown by so many characters. */
  add(characters: number): void {
    this.#length += characters;
    if (this.#timer === undefined) this.#paintNow();
  }

  /** Paints no more. */
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
