import assert from "node:assert/strict";
import { beginningOf, oneLine } from "../../src/text/lines.ts";

describe("a name in a prompt", () => {
  for (const end of ["\n", "\r\n", "\u0085", "\u2028", "\u2029", "\u001b", "\0"]) {
    it(`is one line with ${JSON.stringify(end)} in it`, () => {
      assert.equal(oneLine(`a${end}b.ts`), "a b.ts");
    });
  }

  it("is otherwise as it is", () => {
    assert.equal(oneLine("src/ä b/👩‍💻.ts"), "src/ä b/👩‍💻.ts");
  });
});

describe("the beginning of a text", () => {
  const cases: readonly (readonly [text: string, length: number, expected: string])[] = [
    ["abc", 2, "ab"],
    ["abc", 3, "abc"],
    ["a🚢b", 1, "a"],
    ["a🚢b", 2, "a"],
    ["a🚢b", 3, "a🚢"],
    ["🚢", 1, ""],
    ["a\udea2", 1, "a"],
    ["", 0, ""],
  ];
  for (const [text, length, expected] of cases) {
    it(`of at most ${length} code units of ${JSON.stringify(text)} is ${JSON.stringify(expected)}`, () => {
      assert.equal(beginningOf(text, length), expected);
    });
  }
});
