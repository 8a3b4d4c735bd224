import { Composition, type TextChange } from "../../src/completions/composition.ts";
import { each } from "../support/each.ts";

/** Texts of which each replaces the one before. */
const composed = (...texts: readonly string[]): readonly TextChange[] =>
  texts.map((text, at) => change(20, texts[at - 1]?.length ?? 0, text));
const kana = [change(29, 0, "k"), change(29, 1, "か"), change(29, 1, "かn"), change(29, 2, "かん")];

describe("text that an input method composes, as VS Code 1.139 reports it,", () => {
  each<[changes: readonly (TextChange | undefined)[]], boolean>([
    ["is recognized in Pinyin", composed("n", "ni", "ni h", "ni ha", "ni hao"), true],
    ["is not recognized once words are chosen", composed("n", "ni", "ni hao", "你好"), false],
    ["is not recognized once it is given up", composed("h", "ho", ""), false],
    ["is not recognized in plain typing", [change(20, 0, "l"), change(21, 0, "e")], false],
    ["is not recognized in typing after it", [...composed("n", "ni"), change(22, 0, "!")], false],
    ["is not recognized in a word from a list of suggestions", composed("c", "console"), false],
    ["is recognized in Kana, which are composed syllable by syllable", kana, true],
    ["is not recognized once Kana become Kanji", [...kana, change(29, 2, "漢")], false],
    ["is not recognized in changes at several places", [change(1, 0, "n"), undefined], false],
  ]).gives((changes) => {
    const composition = new Composition();
    for (const one of changes) composition.note(one);
    return composition.isActive;
  });
});

function change(rangeOffset: number, rangeLength: number, text: string): TextChange {
  return { rangeOffset, rangeLength, text };
}
