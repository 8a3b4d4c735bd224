/** An input box whose text VS Code tells with a delay. */
interface TextBox {
  message: string;
}

/** Time within which VS Code may still report an earlier text of ours, in milliseconds. */
const echoTime = 2_000;

/**
 * Writes a growing text into the input box of a repository, and stops as soon as the user types there. The box reports
 * each text again once the window shows it (`extHostSCM.ts`, VS Code 1.139), so an earlier text of ours is no typing.
 */
export class BoxWriter {
  readonly #box: TextBox;
  readonly #now: () => number;
  readonly #before: string;
  /** When each text was written. */
  readonly #written = new Map<string, number>();
  #last: string;
  #hasLost = false;

  constructor(box: TextBox, now: () => number) {
    this.#box = box;
    this.#now = now;
    this.#before = box.message;
    this.#last = box.message;
  }

  /** Writes the text; `false` if the user has typed. */
  write(text: string): boolean {
    const now = this.#now();
    const { message } = this.#box;
    const isOurs = message === this.#last || now - (this.#written.get(message) ?? -Infinity) < echoTime;
    this.#hasLost ||= !isOurs;
    if (this.#hasLost) return false;
    if (text === this.#last) return true;
    this.#written.set(text, now);
    this.#last = text;
    this.#box.message = text;
    return true;
  }

  /**
   * Writes the whole text so that one undo in the box brings back what was there: VS Code makes each text a step of its
   * own (`scmViewPane.ts`, VS Code 1.139), so the text from before is written once more.
   */
  finish(text: string): boolean {
    return this.restore() && this.write(text);
  }

  /** Puts back what was there, unless the user has typed. */
  restore(): boolean {
    return this.write(this.#before);
  }
}
