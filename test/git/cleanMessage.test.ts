import assert from "node:assert/strict";
import { cleanMessage, joinTyped } from "../../src/git/cleanMessage.ts";

describe("the commit message in an answer", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["is taken as it is", "feat: add a pier", "feat: add a pier"],
    ["loses a fence", "```\nfeat: add a pier\n\nIt is long.\n```", "feat: add a pier\n\nIt is long."],
    ["loses a fence with a language", "```gitcommit\nAdd a pier\n```\n", "Add a pier"],
    ["loses an introduction", "Here is the commit message:\n\nAdd a pier", "Add a pier"],
    [
      "loses an introduction before a fence",
      "Sure, here's a commit message for you:\n```\nAdd a pier\n```",
      "Add a pier",
    ],
    ["loses a label", "Commit message: Add a pier", "Add a pier"],
    ["loses a label in bold", "**Commit message:** Add a pier", "Add a pier"],
    ["loses a Chinese label", "提交信息：添加码头", "添加码头"],
    ["loses quotation marks", '"Add a pier"', "Add a pier"],
    ["loses curly quotation marks", "“Add a pier”", "Add a pier"],
    ["keeps quotation marks inside", 'Rename "pier" to "jetty"', 'Rename "pier" to "jetty"'],
    ["keeps quotation marks at both ends that are two pairs", '"pier" becomes "jetty"', '"pier" becomes "jetty"'],
    [
      "keeps a message about messages",
      "Say which commit message: the last one",
      "Say which commit message: the last one",
    ],
    ["gets an empty line after the subject", "Add a pier\nIt is long.", "Add a pier\n\nIt is long."],
    ["loses control characters", "Add\u0007 a\r\n\r\npier\u001b", "Add a\n\npier"],
    ["is empty if there is only a fence", "```\n```", ""],
  ];
  for (const [title, answer, message] of cases) {
    it(title, () => {
      assert.equal(cleanMessage(answer, true), message);
    });
  }

  it("breaks a subject that is too long, without losing a word", () => {
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(" ");
    const message = cleanMessage(words, true);
    const [subject = "", empty, ...body] = message.split("\n");
    assert.ok(subject.length <= 120, subject);
    assert.equal(empty, "");
    assert.equal([subject, ...body].join(" "), words);
  });

  it("is bounded", () => {
    assert.ok(cleanMessage("word ".repeat(5_000), true).length <= 4_000);
    assert.equal(cleanMessage(`\`\`\`\n${"\n".repeat(1_000_000)}x`, true), "");
  });

  it("follows what the user typed, which the model may repeat", () => {
    assert.equal(joinTyped("", "Add a pier"), "Add a pier");
    assert.equal(joinTyped("feat:", "add a pier"), "feat: add a pier");
    assert.equal(joinTyped("feat: ", "add a pier"), "feat: add a pier");
    assert.equal(joinTyped("feat:", "feat: add a pier"), "feat: add a pier");
    assert.equal(joinTyped("Add a pier", ", which is long"), "Add a pier, which is long");
    assert.equal(joinTyped("Add a pier", "Add a pier\n\nIt is long."), "Add a pier\n\nIt is long.");
    assert.equal(joinTyped("Add a pier", "Add a pier"), "Add a pier");
  });
});
