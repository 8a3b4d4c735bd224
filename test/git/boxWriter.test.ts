import assert from "node:assert/strict";
import { BoxWriter } from "../../src/git/generateMessage.ts";
import { each } from "../support/each.ts";

describe("writing into the input box", () => {
  let texts: string[];
  let now: number;
  let writer: BoxWriter;
  const box = {
    get message(): string {
      return texts.at(-1) ?? "";
    },
    set message(text: string) {
      texts.push(text);
    },
  };

  beforeEach(() => {
    texts = ["typed"];
    now = 0;
    writer = new BoxWriter(box, () => now);
  });

  each([
    ["goes on after VS Code has reported an earlier text of ours", 0, "typed a b c"],
    ["takes an earlier text for the user's once it is old", 5_000, "typed a"],
  ]).gives((time) => {
    writer.write("typed a");
    writer.write("typed a b");
    now = time;
    box.message = "typed a";
    assert.equal(writer.write("typed a b c"), time === 0);
    return box.message;
  });

  for (const when of ["before the first text", "later"]) {
    it(`stops for good when the user types ${when}`, () => {
      if (when === "later") writer.write("typed a");
      box.message = "mine";
      assert.equal(writer.write("typed a b"), false);
      writer.restore();
      assert.equal(writer.finish("typed a b c"), false);
      assert.equal(box.message, "mine");
    });
  }

  it("ends with the text from before and the whole text, so that one undo leads from one to the other", () => {
    writer.write("typed a");
    writer.finish("typed a b");
    assert.deepEqual(texts.slice(-2), ["typed", "typed a b"]);
  });
});
