import assert from "node:assert/strict";
import fc from "fast-check";
import { joinTyped, layOutMessage } from "../../src/git/cleanMessage.ts";

describe("the layout of a commit message", () => {
  it("breaks a subject that is too long, without losing a word", () => {
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(" ");
    const message = layOutMessage(words, false);
    const [subject = "", empty, ...body] = message.split("\n");
    assert.ok(subject.length <= 120, subject);
    assert.equal(empty, "");
    assert.equal([subject, ...body].join(" "), words);
  });

  it("never breaks a subject within an emoji", () => {
    for (const start of ["", "a"]) {
      const text = start + "🚢".repeat(80);
      const [subject = "", , ...body] = layOutMessage(text, false).split("\n");
      assert.deepEqual([subject + body.join(""), subject.isWellFormed()], [text, true]);
    }
  });

  const [start, end] = ["It is as long as the ships that come to the harbor in the summer, and", "sometimes longer."];
  const long = `${start} ${end}`;
  const cases: readonly (readonly [string, string, string])[] = [
    ["has an empty line after the subject", "Add it\nIt is long.", "Add it\n\nIt is long."],
    ["breaks the body after 72 columns", long, `${start}\n${end}`],
    ["indents the rest of an item", `- ${long}`, `- ${start}\n  ${end}`],
    ["indents the rest of a numbered item", `1. ${long}`, `1. ${start}\n   ${end}`],
    ["keeps a link whole", `See\nhttps://${"a/".repeat(60)}`, `See\nhttps://${"a/".repeat(60)}`],
    ["keeps Chinese text whole", "码头很长，".repeat(30), "码头很长，".repeat(30)],
    ["keeps code", "```\n" + `${long}\n` + "```", "```\n" + `${long}\n` + "```"],
    ["keeps indented code", `    ${long}`, `    ${long}`],
    [
      "keeps trailers",
      `Co-authored-by: ${"Name ".repeat(20)}<a@example.com>`,
      `Co-authored-by: ${"Name ".repeat(20)}<a@example.com>`,
    ],
  ];
  for (const [title, body, expected] of cases) {
    it(title, () => {
      if (body.startsWith("Add it")) assert.equal(layOutMessage(body, false), expected);
      else {
        assert.equal(layOutMessage(`Add it\n\n${body}`, false), `Add it\n\n${expected}`);
        assert.equal(layOutMessage(body, true), expected);
      }
    });
  }

  it("loses no word, whatever the message is", () => {
    const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");
    const line = fc.array(fc.string({ minLength: 1, maxLength: 30 }), { maxLength: 30 }).map((all) => all.join(" "));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.boolean(), (lines, isBody) => {
        // A subject may be broken inside a word that is longer than half of it.
        const text = ["Add it", ...lines].join("\n");
        assert.deepEqual(words(layOutMessage(text, isBody)), words(text));
      }),
    );
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
