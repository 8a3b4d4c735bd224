import assert from "node:assert/strict";
import { readMessage } from "../../src/git/readMessage.ts";
import { each } from "../support/each.ts";

const inside = (message: string): string => `<commit-message>\n${message}\n</commit-message>`;

describe("the commit message in an answer", () => {
  each([
    ["is what the envelope holds", inside("feat: add a pier\n\nIt is long."), "feat: add a pier\n\nIt is long."],
    [
      "has one empty line after its subject",
      inside("Add a pier  \nIt is.\n\n\n\nLong."),
      "Add a pier\n\nIt is.\n\nLong.",
    ],
    ["is in an envelope of one line", "<commit-message>Add a pier</commit-message>", "Add a pier"],
    ["is without what is around", `Sure, here it is:\n\n${inside("Add a pier")}\n\nIt is short.`, "Add a pier"],
    ["is without reasoning", `<think>\n${inside("A pier?")}\n</think>\n\n${inside("Add a pier")}`, "Add a pier"],
    ["is all there is without an end", "<commit-message>\nAdd a pier\n\nIt is", "Add a pier\n\nIt is"],
    ["is without a fence around it", inside("```\nAdd a pier\n```"), "Add a pier"],
    ["is without quotation marks around it", inside('"Add a pier"'), "Add a pier"],
    ["is without marks of bold text around it", inside("**Add a pier**"), "Add a pier"],
    [
      "is all of a fence that has another",
      inside("```\nAdd\n\n```sh\na\n```\nTwice.\n```"),
      "Add\n\n```sh\na\n```\nTwice.",
    ],
    ["is without control characters", inside("Add\u0007 a\r\n\r\npier\u001b"), "Add a\n\npier"],
    ["is without placeholders of secrets", inside("Set the key to [secret 123456 removed]"), "Set the key to …"],
    ["is empty if nothing is in the envelope", inside(""), ""],
  ]).gives(readMessage);

  each([
    ["keeps a tag as its first word", "<output> is announced to screen readers"],
    ["keeps the tag of the envelope", "Read <commit-message>, and what is before </commit-message> only"],
    ["keeps words of an excuse", "I'm sorry, but I can't help with that."],
    ["keeps quotation marks", '"pier" becomes "jetty"'],
    ["keeps marks of a list", "Add piers\n\n1. the north\n2. the south"],
    ["keeps a fence in its body", "Add it\n\nRun:\n```\nnpm start\n```"],
  ]).hold((message) => {
    assert.equal(readMessage(inside(message)), message);
  });

  describe("without an envelope", () => {
    each([
      ["is an answer that is nothing else", "feat: add a pier\n\nIt is long.", "feat: add a pier\n\nIt is long."],
      ["keeps a tag as its first word", "<output> is announced", "<output> is announced"],
      ["is in a fence", "```\nfeat: add a pier\n```\n\nThis message is short.", "feat: add a pier"],
      ["is in other tags", "<message>\nAdd a pier\n</message>", "Add a pier"],
      ["follows a line that introduces it", "Here is the commit message:\n\nAdd a pier", "Add a pier"],
      ["follows such a line in Chinese", "提交消息：\n添加码头", "添加码头"],
      ["follows any such line before a fence", "Ecco qua:\n\n```\nAggiunge un molo\n```", "Aggiunge un molo"],
      ["is in doubt behind an introduction", "Here is your commit message: add a pier", ""],
      ["is in doubt behind another line with a colon", "Ecco qua:\n\nAggiunge un molo", ""],
      ["is no sentence", "The changes add a pier, which is long.", ""],
      ["is no excuse", "I'm sorry, but I can't help with that", ""],
      ["is no excuse in Chinese", "很抱歉，我无法处理此请求。", ""],
      ["is not only a fence", "```\n \t\n```", ""],
    ]).gives(readMessage);
  });

  it("has nothing that nobody sees in the box", () => {
    const answer = `feat: add\u202e a pier\u200b 👩‍💻\n\nIt is long.${" ".repeat(300)}It is wet.`;
    assert.equal(readMessage(inside(answer)), "feat: add a pier 👩‍💻\n\nIt is long. It is wet.");
  });

  it("is bounded between words, and nothing behind a fence without end", () => {
    const message = readMessage(inside("word ".repeat(5_000)));
    assert.ok(message.length <= 4_000 && message.endsWith(" word"));
    assert.equal(readMessage(`\`\`\`\n${"\n".repeat(1_000_000)}x`), "");
  });
});
