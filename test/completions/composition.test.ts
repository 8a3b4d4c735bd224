import assert from "node:assert/strict";
import { Composition, type TextChange } from "../../src/completions/composition.ts";

type Recorded = readonly [offset: number, replaced: number, text: string];

/** What VS Code 1.139 reports, and whether text is composed after the last change. */
const cases: readonly (readonly [what: string, isUnderWay: boolean, changes: readonly Recorded[]])[] = [
  [
    "Pinyin",
    true,
    [
      [20, 0, "n"],
      [20, 1, "ni"],
      [20, 2, "ni h"],
      [20, 4, "ni ha"],
      [20, 5, "ni hao"],
    ],
  ],
  [
    "Pinyin after a letter was taken back",
    true,
    [
      [20, 0, "n"],
      [20, 1, "ni"],
      [20, 2, "nih"],
      [20, 3, "ni"],
    ],
  ],
  [
    "chosen words",
    false,
    [
      [20, 0, "n"],
      [20, 1, "ni"],
      [20, 2, "ni hao"],
      [20, 6, "你好"],
    ],
  ],
  [
    "letters that are put in as they are",
    false,
    [
      [23, 0, "h"],
      [23, 1, "ho"],
      [23, 2, "ho"],
    ],
  ],
  [
    "a composition that was given up",
    false,
    [
      [23, 0, "h"],
      [23, 1, "ho"],
      [23, 2, ""],
    ],
  ],
  [
    "Kana",
    true,
    [
      [29, 0, "k"],
      [29, 1, "か"],
      [29, 1, "かn"],
      [29, 2, "かん"],
    ],
  ],
  [
    "Kanji",
    false,
    [
      [29, 0, "k"],
      [29, 1, "か"],
      [29, 1, "かn"],
      [29, 2, "かん"],
      [29, 2, "漢"],
    ],
  ],
  [
    "Bopomofo",
    true,
    [
      [5, 0, "ㄋ"],
      [5, 1, "ㄋㄧ"],
    ],
  ],
  [
    "Hangul",
    false,
    [
      [27, 0, "ㅎ"],
      [27, 1, "하"],
      [27, 1, "한"],
    ],
  ],
  [
    "plain typing",
    false,
    [
      [32, 0, "l"],
      [33, 0, "e"],
      [34, 0, "t"],
    ],
  ],
  [
    "typing after a composition",
    false,
    [
      [20, 0, "n"],
      [20, 1, "ni"],
      [22, 0, "!"],
    ],
  ],
  [
    "a word from a list of suggestions",
    false,
    [
      [7, 0, "c"],
      [7, 1, "console"],
    ],
  ],
  [
    "a word from a list of suggestions, after more letters",
    false,
    [
      [7, 0, "c"],
      [8, 0, "o"],
      [7, 2, "console"],
    ],
  ],
];

describe("text that an input method composes", () => {
  for (const [what, isUnderWay, changes] of cases) {
    it(`is ${isUnderWay ? "" : "not "}recognized in ${what}`, () => {
      assert.equal(
        after(changes.map(([rangeOffset, rangeLength, text]) => ({ rangeOffset, rangeLength, text }))),
        isUnderWay,
      );
    });
  }

  it("is not recognized in changes at several places", () => {
    assert.equal(after([{ rangeOffset: 1, rangeLength: 0, text: "n" }, undefined]), false);
  });
});

function after(changes: readonly (TextChange | undefined)[]): boolean {
  const composition = new Composition();
  for (const change of changes) composition.note(change);
  return composition.isUnderWay;
}
