import assert from "node:assert/strict";
import { answerMarkdown, withClosingLine } from "../../src/inline/answerMarkdown.ts";

describe("an answer as it is shown", () => {
  it("shows images as text, because fetching one tells somebody what the answer knows", () => {
    assert.equal(answerMarkdown("![x](https://a.example/?q=secret)"), "!\\[x](https://a.example/?q=secret)");
  });

  it("leaves code as it is", () => {
    const code = "```md\n![x](y)\n```";
    assert.equal(answerMarkdown(code), code);
  });

  it("says outside of an open block that it was cut off", () => {
    assert.equal(withClosingLine("So:\n```ts\nlet a", "Cut [off]."), "So:\n```ts\nlet a\n```\n\n*Cut \\[off\\].*");
    assert.equal(withClosingLine("So", "Cut."), "So\n\n*Cut.*");
  });
});
