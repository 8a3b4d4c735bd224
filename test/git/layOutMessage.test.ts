import assert from "node:assert/strict";
import fc from "fast-check";
import { layOutMessage } from "../../src/git/layOutMessage.ts";
import { each } from "../support/each.ts";

describe("the layout of a commit message", () => {
  it("has an empty line after the subject, and no more", () => {
    assert.equal(layOutMessage("Add a pier\nIt is long.", false), "Add a pier\n\nIt is long.");
    assert.equal(layOutMessage("Add a pier  \n\n\n\nIt is long.\n", false), "Add a pier\n\nIt is long.");
  });

  it("breaks a subject that is too long, without losing a word", () => {
    const words = Array.from({ length: 60 }, (_, index) => `word${index}`).join(" ");
    const message = layOutMessage(words, false);
    const [subject = "", empty, ...body] = message.split("\n");
    assert.ok(subject.length <= 120, subject);
    assert.equal(empty, "");
    assert.equal([subject, ...body].join(" "), words);
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

  it("keeps links, Chinese text, emoji, code, and trailers as they are", () => {
    const trailer = `Co-authored-by: ${"Name ".repeat(20)}<a@example.com>`;
    const whole = [
      `https://${"a/".repeat(60)}`,
      "码头很长，".repeat(30),
      "🚢".repeat(80),
      `\`\`\`\n${long}\n\`\`\``,
      `    ${long}`,
      trailer,
    ];
    for (const body of whole) assert.equal(layOutMessage(`Add it\n\n${body}`, false), `Add it\n\n${body}`);
    for (const subject of whole.slice(0, 3)) assert.equal(layOutMessage(subject, false), subject);
  });

  it("neither loses nor cuts a word, whatever the message is", () => {
    const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");
    const line = fc.array(fc.string({ minLength: 1, maxLength: 90 }), { maxLength: 30 }).map((all) => all.join(" "));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), fc.boolean(), (lines, isBody) => {
        const text = lines.join("\n");
        assert.deepEqual(words(layOutMessage(text, isBody)), words(text));
      }),
    );
  });
});
