/** One change of a document, as VS Code reports it. */
export interface TextChange {
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly text: string;
}

/** Letters that an input method may still turn into others: Pinyin, Romaji and the like, kana, and Bopomofo. */
const convertible = /[\p{Script=Latin}\p{Script=Hiragana}\p{Script=Bopomofo}][' ]?$/u;
/** How much longer the second text of a composition is at most; more is what a list of suggestions inserts. */
const longestStep = 2;

/**
 * Recognizes text that is being composed with an input method, which VS Code does not tell extensions. Each step of a
 * composition replaces the whole text of the step before (recorded in VS Code 1.139); the last one replaces it with other
 * letters, or with the same. A syllable of Hangul counts as typed, since it mostly stays as it is.
 */
export class Composition {
  #last: TextChange | undefined;
  #isUnderWay = false;

  /** Whether the last change left text that is not final yet. */
  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** Notes a change of the document; `undefined` for several at once. */
  note(change: TextChange | undefined): void {
    this.#isUnderWay = change !== undefined && convertible.test(change.text) && this.#isStep(change);
    this.#last = change;
  }

  #isStep({ rangeOffset, rangeLength, text }: TextChange): boolean {
    const last = this.#last;
    if (last === undefined || last.text === "" || text === last.text) return false;
    if (rangeOffset !== last.rangeOffset || rangeLength !== last.text.length) return false;
    return this.#isUnderWay || text.length <= last.text.length + longestStep;
  }
}
