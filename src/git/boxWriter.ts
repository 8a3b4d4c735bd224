/** An input box whose text VS Code tells with a delay. */
export interface TextBox {
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
  #written: { readonly text: string; readonly at: number }[] = [];
  #hasLost = false;

  constructor(box: TextBox, now: () => number) {
    this.#box = box;
    this.#now = now;
    this.#before = box.message;
  }

  /** Whether the user has typed since, so that the box is theirs. */
  get hasLost(): boolean {
    if (!this.#hasLost) this.#hasLost = !this.#isOurs(this.#box.message);
    return this.#hasLost;
  }

  /** Writes the text; `false` if the user has typed. */
  write(text: string): boolean {
    if (this.hasLost) return false;
    const now = this.#now();
    const last = this.#written.at(-1);
    if (last?.text === text) return true;
    this.#written = [
      ...this.#written.filter((entry) => entry === last || now - entry.at < echoTime),
      { text, at: now },
    ];
    this.#box.message = text;
    return true;
  }

  /**
   * Writes the whole text so that one undo in the box brings back what was there: VS Code makes each text a step of its
   * own (`scmViewPane.ts`, VS Code 1.139), so the text from before is written once more.
   */
  finish(text: string): boolean {
    return this.write(this.#before) && this.write(text);
  }

  /** Puts back what was there, unless the user has typed. */
  restore(): void {
    this.write(this.#before);
  }

  #isOurs(text: string): boolean {
    const now = this.#now();
    const last = this.#written.at(-1);
    if (last === undefined) return text === this.#before;
    // Until the first echo, the box may still report what was there.
    const recent = this.#written.filter((entry) => entry === last || now - entry.at < echoTime);
    return recent.some((entry) => entry.text === text);
  }
}
