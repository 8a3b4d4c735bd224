import assert from "node:assert/strict";
import { oneLine } from "../../src/text/lines.ts";

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
