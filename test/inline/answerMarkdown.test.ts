import assert from "node:assert/strict";
import fc from "fast-check";
import { answerMarkdown, withClosingLine } from "../../src/inline/answerMarkdown.ts";

describe("an answer as it is shown", () => {
  it("shows images as text, because fetching one tells somebody what the answer knows", () => {
    assert.equal(answerMarkdown("![x](https://a.example/?q=secret)"), "!\\[x](https://a.example/?q=secret)");
  });

  it("leaves code as it looks", () => {
    const code = "```md\na ! [b]\n![x](y)\n```";
    assert.equal(answerMarkdown(code), code.replace("![", "!\u2060["));
  });

  it("leaves no image, whatever stands around it", () => {
    const image = "![x](https://a.example)";
    const pieces = [
      "```",
      "````",
      "~~~",
      "```a`b",
      "- ```",
      "> ",
      "    ",
      "<!--",
      "-->",
      "!",
      "[",
      "\\",
      "a",
      "\n",
      "\r\n",
    ];
    const around = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(around, around, (before, after) => {
        const answer = before + image + after;
        assert.doesNotMatch(answerMarkdown(answer), /!\[/);
        assert.doesNotMatch(withClosingLine(answer, image), /!\[/);
      }),
    );
  });

  const notInBlocks: readonly (readonly [string, string])[] = [
    ["after what looks like a fence but has a backtick behind it", "```a`b\n"],
    ["after a list whose item has an open block", "- a\n  ```\n  code\n\n"],
    ["after a comment with a fence in it", "<!--\n```\n-->\n"],
  ];
  for (const [title, before] of notInBlocks) {
    it(`shows an image as text ${title}`, () => {
      assert.doesNotMatch(answerMarkdown(`${before}![x](https://a.example)`), /!\[/);
    });
  }

  it("takes no line with a backtick in its info string for the start of a block", () => {
    assert.equal(withClosingLine("```a`b", "Cut."), "```a`b\n\n*Cut.*");
  });

  it("says outside of an open block that it was cut off", () => {
    assert.equal(withClosingLine("So:\n```ts\nlet a", "Cut [off]."), "So:\n```ts\nlet a\n```\n\n*Cut \\[off\\].*");
    assert.equal(withClosingLine("So", "Cut."), "So\n\n*Cut.*");
  });
});
