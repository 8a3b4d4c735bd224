import assert from "node:assert/strict";
import fc from "fast-check";
import { joinTyped, layOutMessage } from "../../src/git/cleanMessage.ts";
import { each } from "../support/each.ts";

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
  each([
    ["breaks the body after 72 columns", long, `${start}\n${end}`],
    ["indents the rest of an item", `- ${long}`, `- ${start}\n  ${end}`],
    ["indents the rest of a numbered item", `1. ${long}`, `1. ${start}\n   ${end}`],
  ]).hold((body, expected) => {
    assert.equal(layOutMessage(`Add it\n\n${body}`, false), `Add it\n\n${expected}`);
    assert.equal(layOutMessage(body, true), expected);
  });

  it("keeps links, Chinese text, code, and trailers as they are", () => {
    const trailer = `Co-authored-by: ${"Name ".repeat(20)}<a@example.com>`;
    const whole = [
      `https://${"a/".repeat(60)}`,
      "码头很长，".repeat(30),
      `\`\`\`\n${long}\n\`\`\``,
      `    ${long}`,
      trailer,
    ];
    for (const body of whole) assert.equal(layOutMessage(`Add it\n\n${body}`, false), `Add it\n\n${body}`);
  });

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

  each([
    ["is all where nothing was typed", "", "Add a pier", "Add a pier"],
    ["follows what the user typed", "feat:", "add a pier", "feat: add a pier"],
    ["follows the blank that the user typed", "feat: ", "add a pier", "feat: add a pier"],
    ["repeats nothing that the user typed", "feat:", "feat: add a pier", "feat: add a pier"],
    ["goes on with a comma", "Add a pier", ", which is long", "Add a pier, which is long"],
    ["goes on with a body", "Add a pier", "Add a pier\n\nIt is long.", "Add a pier\n\nIt is long."],
    ["has nothing to add", "Add a pier", "Add a pier", "Add a pier"],
  ]).gives(joinTyped);
});
