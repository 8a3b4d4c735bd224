import assert from "node:assert/strict";
import { beginningOf, cutText, oneLine } from "../../src/text/lines.ts";
import { each } from "../support/each.ts";

describe("a name in a prompt", () => {
  it("has no line breaks, and is otherwise unchanged", () => {
    for (const end of ["\n", "\r\n", "\u0085", "\u2028", "\u2029", "\u001b", "\0"])
      assert.equal(oneLine(`a${end}b.ts`), "a b.ts", JSON.stringify(end));
    assert.equal(oneLine("src/ä b/👩‍💻.ts"), "src/ä b/👩‍💻.ts");
  });
});

describe("the beginning of a text", () => {
  each([
    ["has as many code units as asked for", "abc", 2, "ab"],
    ["is all that there is", "abc", 3, "abc"],
    ["has no half of a pair", "a🚢b", 2, "a"],
    ["has a whole pair", "a🚢b", 3, "a🚢"],
  ]).gives(beginningOf);
});

describe("a text that is cut", () => {
  each([
    ["ends between words", "a token", 5, "a"],
    ["ends where a word ends", "a token b", 7, "a token"],
    ["is nothing where it would be a part of a word", "token", 3, ""],
    ["is all that there is", "a token", 7, "a token"],
    ["ends between characters where no spaces are needed", "码头很长，也很湿。", 4, "码头很长"],
    ["has no half of a pair", "码头🚢🚢", 5, "码"],
  ]).gives(cutText);
});
