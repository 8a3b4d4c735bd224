import assert from "node:assert/strict";
import { unseenIn, withUnseenMarked } from "../../src/text/unseen.ts";

describe("characters that nobody sees", () => {
  const marked: readonly (readonly [string, string, string])[] = [
    ["change the direction of a text", "a\u202eb\u2066c", "a⟨U+202E⟩b⟨U+2066⟩c"],
    ["have no width", "a\u200bb\ufeffc", "a⟨U+200B⟩b⟨U+FEFF⟩c"],
    ["control a terminal", "\u001b[31m\u0000", "⟨U+001B⟩[31m⟨U+0000⟩"],
    ["are tags beyond the first plane", "a\u{e0041}", "a⟨U+E0041⟩"],
    ["are halves of a pair", "a\ud800b", "a⟨U+D800⟩b"],
    ["stand beside an emoji", "\u200b👩‍💻\u200b", "⟨U+200B⟩👩‍💻⟨U+200B⟩"],
  ];
  for (const [title, text, expected] of marked) {
    it(`are marked where they ${title}`, () => {
      assert.equal(withUnseenMarked(text), expected);
      assert.ok(unseenIn(text).size > 0);
    });
  }

  for (const text of ["a\tb\r\nc", "中文，日本語", "👩‍💻 👍🏽", "می\u200cخواهم", "क\u094d\u200dष"]) {
    it(`are not what belongs to a text: ${JSON.stringify(text)}`, () => {
      assert.equal(withUnseenMarked(text), text);
      assert.equal(unseenIn(text).size, 0);
    });
  }
});
