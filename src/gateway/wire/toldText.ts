import { unreadable } from "../errors.ts";

/** From this many characters on, a repetition is no chance. */
const noChance = 20;

/**
 * The text of an answer, handed on once. A gateway that loses its upstream may start the answer over within the same
 * stream, or go on where it was.
 */
export class ToldText {
  text = "";
  /** What has come again since the answer was started over. */
  #again: string | undefined;

  /** Whether it is being repeated. */
  get isRepeated(): boolean {
    return this.#again !== undefined && this.#again !== "";
  }

  /** The answer may start over. */
  startOver(): void {
    if (this.text !== "") this.#again = "";
  }

  /** Returns what is new of a piece. Throws `GatewayError` of kind `unreadable` for the same answer in other words. */
  add(piece: string): string {
    if (this.#again === undefined) {
      this.text += piece;
      return piece;
    }
    this.#again += piece;
    if (this.text.startsWith(this.#again)) return "";
    return this.#goOn(this.#again, sharedLength(this.text, this.#again));
  }

  /** Returns what was held back as a repetition and, at the end, turns out to be none. */
  end(): string {
    const again = this.#again ?? "";
    return again === "" || again === this.text ? "" : this.#goOn(again, again.length);
  }

  /** What has come again, `shared` characters of it alike, is the text and more, or follows the text. */
  #goOn(again: string, shared: number): string {
    const isMore = shared === this.text.length;
    if (!isMore && shared >= noChance) throw unreadable("The gateway started the answer over.");
    const rest = isMore ? again.slice(shared) : again;
    this.#again = undefined;
    this.text += rest;
    return rest;
  }
}

/** The number of characters with which two texts begin in the same way. */
function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
