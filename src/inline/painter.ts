/** Shortest time between two paints, in milliseconds: ten a second. */
const shortest = 100;
/** A long answer takes longer to render, so it is painted less often: one more millisecond for so many characters. */
const charactersPerMillisecond = 50;

/** Paints a growing text: the first piece at once, then at a pace that leaves time for typing. */
export class Painter {
  private readonly paint: (text: string) => void;
  private text = "";
  private timer: NodeJS.Timeout | undefined;

  constructor(paint: (text: string) => void) {
    this.paint = paint;
  }

  /** Everything that was added so far. */
  get whole(): string {
    return this.text;
  }

  add(piece: string): void {
    this.text += piece;
    if (this.timer === undefined) this.paintNow();
  }

  /** Paints no more. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private paintNow(): void {
    const painted = this.text;
    this.paint(painted);
    this.timer = setTimeout(
      () => {
        this.timer = undefined;
        if (this.text !== painted) this.paintNow();
      },
      shortest + painted.length / charactersPerMillisecond,
    );
  }
}
