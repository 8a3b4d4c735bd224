import assert from "node:assert/strict";
import { BoxWriter } from "../../src/git/generateMessage.ts";

describe("writing into the input box", () => {
  let box: { message: string };
  let now: number;
  let writer: BoxWriter;

  beforeEach(() => {
    box = { message: "typed" };
    now = 0;
    writer = new BoxWriter(box, () => now);
  });

  it("goes on after VS Code has reported an earlier text of ours", () => {
    writer.write("typed a");
    writer.write("typed a b");
    box.message = "typed a";
    assert.equal(writer.write("typed a b c"), true);
    assert.equal(box.message, "typed a b c");
  });

  it("takes an earlier text for the user's once it is old", () => {
    writer.write("typed a");
    writer.write("typed a b");
    now = 5_000;
    box.message = "typed a";
    assert.equal(writer.write("typed a b c"), false);
    assert.equal(box.message, "typed a");
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

  it("puts back what was there", () => {
    writer.write("typed a");
    writer.restore();
    assert.equal(box.message, "typed");
  });

  it("ends with the text from before and the whole text, so that one undo leads from one to the other", () => {
    const texts: string[] = [];
    const recorder = {
      get message(): string {
        return texts.at(-1) ?? "typed";
      },
      set message(text: string) {
        texts.push(text);
      },
    };
    const recorded = new BoxWriter(recorder, () => now);
    recorded.write("typed a");
    recorded.finish("typed a b");
    assert.deepEqual(texts.slice(-2), ["typed", "typed a b"]);
  });
});
