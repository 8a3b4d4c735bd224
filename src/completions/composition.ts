/** One change of a document, as VS Code reports it. */
export interface TextChange {
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly text: string;
}

/** Letters that an input method may still convert: Pinyin, Romaji and the like, kana, and Bopomofo. */
const convertible = /[\p{Script=Latin}\p{Script=Hiragana}\p{Script=Bopomofo}][' ]?$/u;
/** Maximum growth of the second text of a composition, in characters. A list of suggestions inserts more. */
const longestStep = 2;

/**
 * Recognizes text that an input method is composing, of which VS Code does not inform extensions. Each step of a composition
 * replaces the text of the step before (recorded in VS Code 1.139), the last one with its final or the same letters. A
 * syllable of Hangul counts as typed, since it rarely changes.
 */
export class Composition {
  #last: TextChange | undefined;
  #isActive = false;

  /** Whether the text of the last change is not final. */
  get isActive(): boolean {
    return this.#isActive;
  }

  /** Notes a change of the document, or `undefined` for several at once. */
  note(change: TextChange | undefined): void {
    this.#isActive = change !== undefined && convertible.test(change.text) && this.#isStep(change);
    this.#last = change;
  }

  #isStep({ rangeOffset, rangeLength, text }: TextChange): boolean {
    const last = this.#last;
    if (last === undefined || last.text === "" || text === last.text) return false;
    if (rangeOffset !== last.rangeOffset || rangeLength !== last.text.length) return false;
    return this.#isActive || text.length <= last.text.length + longestStep;
  }
}
