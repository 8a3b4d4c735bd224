import assert from "node:assert/strict";
import { Composition, type TextChange } from "../../src/completions/composition.ts";

/**
 * What VS Code 1.139 reports while a text is composed, and whether it is after the last change. Each text replaces the one
 * before; in `typed`, it is added.
 */
const cases: readonly (readonly [what: string, isUnderWay: boolean, composed: string, typed?: string])[] = [
  ["Pinyin", true, "n,ni,ni h,ni ha,ni hao"],
  ["chosen words", false, "n,ni,ni hao,你好"],
  ["a composition that was given up", false, "h,ho,"],
  ["plain typing", false, "", "l,e,t"],
  ["typing after a composition", false, "n,ni", "!"],
  ["a word from a list of suggestions", false, "c,console"],
];
/** Kana and Hangul are composed syllable by syllable. */
const syllables: readonly (readonly [what: string, isUnderWay: boolean, changes: readonly TextChange[]])[] = [
  ["Kana", true, [change(29, 0, "k"), change(29, 1, "か"), change(29, 1, "かn"), change(29, 2, "かん")]],
  ["Kanji", false, [change(29, 0, "k"), change(29, 1, "か"), change(29, 1, "かん"), change(29, 2, "漢")]],
];

describe("text that an input method composes", () => {
  for (const [what, isUnderWay, composed, typed = ""] of cases) {
    it(`is ${isUnderWay ? "" : "not "}recognized in ${what}`, () => {
      const texts = composed === "" ? [] : composed.split(",");
      const steps = texts.map((text, at) => change(20, texts[at - 1]?.length ?? 0, text));
      const end = 20 + (texts.at(-1)?.length ?? 0);
      const more = typed === "" ? [] : typed.split(",").map((text, at) => change(end + at, 0, text));
      assert.equal(after([...steps, ...more]), isUnderWay);
    });
  }
  for (const [what, isUnderWay, changes] of syllables) {
    it(`is ${isUnderWay ? "" : "not "}recognized in ${what}`, () => {
      assert.equal(after(changes), isUnderWay);
    });
  }

  it("is not recognized in changes at several places", () => {
    assert.equal(after([change(1, 0, "n"), undefined]), false);
  });
});

function change(rangeOffset: number, rangeLength: number, text: string): TextChange {
  return { rangeOffset, rangeLength, text };
}

function after(changes: readonly (TextChange | undefined)[]): boolean {
  const composition = new Composition();
  for (const change of changes) composition.note(change);
  return composition.isUnderWay;
}
