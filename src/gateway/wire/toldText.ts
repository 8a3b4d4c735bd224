import { unreadable } from "./answerReader.ts";

/** From this many characters on, a repetition is no chance. */
const noChance = 20;

/**
 * The text of an answer, handed on once. A gateway that loses its upstream may start the answer over within the same
 * stream, or go on where it was.
 */
export class ToldText {
  #text = "";
  /** What has come again since the answer was started over. */
  #again: string | undefined;

  get text(): string {
    return this.#text;
  }

  /** Whether it is being repeated. */
  get isRepeated(): boolean {
    return this.#again !== undefined && this.#again !== "";
  }

  /** The answer may start over. */
  startOver(): void {
    if (this.#text !== "") this.#again = "";
  }

  /** Returns what is new of a piece. Throws `GatewayError` of kind `unreadable` for the same answer in other words. */
  add(piece: string): string {
    if (this.#again === undefined) {
      this.#text += piece;
      return piece;
    }
    const again = this.#again + piece;
    if (this.#text.startsWith(again)) {
      this.#again = again;
      return "";
    }
    if (again.startsWith(this.#text)) {
      const rest = again.slice(this.#text.length);
      this.#again = undefined;
      this.#text = again;
      return rest;
    }
    return this.#goOn(again, sharedLength(this.#text, again));
  }

  /** Returns what was held back as a repetition and, at the end, turns out to be none. */
  end(): string {
    const again = this.#again ?? "";
    return again === "" || again === this.#text ? "" : this.#goOn(again, again.length);
  }

  #goOn(again: string, shared: number): string {
    if (shared >= noChance) throw unreadable("The gateway started the answer over.");
    this.#again = undefined;
    this.#text += again;
    return again;
  }
}

/** The number of characters with which two texts begin in the same way. */
function sharedLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
