import assert from "node:assert/strict";
import { type AnswerEdit, type EditSubject, isSameChange, propose, withHunks } from "../../src/inline/proposal.ts";
import { maskText } from "../../src/text/maskSecrets.ts";
import { randomTexts } from "../support/randomTexts.ts";

const lines = ["import a;", "", "function one() {", "  return 1;", "}", "", "function two() {", "  return 2;", "}", ""];
const subject: EditSubject = { path: "src/a.ts", lines, asked: { start: 2, end: 5 }, isCursor: false };

const replace = "So:\n\n```ts replace\nfunction one() {\n  return a;\n}\n```\n\nDone.";
const search = (old: string, text: string): string => `<<<<<<< SEARCH\n${old}\n=======\n${text}\n>>>>>>> REPLACE`;

describe("what an answer proposes", () => {
  it("is the replacement of the lines in question, as the lines that differ", () => {
    assert.deepEqual(propose(replace, subject), {
      type: "change",
      hunks: [{ start: 3, end: 4, lines: ["  return a;"], before: ["  return 1;"] }],
      code: ["function one() {", "  return a;", "}"],
      hasReplacement: true,
      problems: [],
      ranges: [{ start: 2, end: 7 }],
    });
  });

  it("is the replacement together with small blocks elsewhere in the file", () => {
    const edit = propose(
      `${replace}\n\nsrc/a.ts\n\`\`\`ts\n${search("import a;", "import a;\nimport b;")}\n\`\`\``,
      subject,
    );
    assert.deepEqual(after(edit), ["import a;", "import b;", "", "function one() {", "  return a;", ...lines.slice(4)]);
    assert.equal(edit.type === "change" && edit.hunks.length, 2);
  });

  it("is found where its old lines are, wherever the cursor was", () => {
    const cursor: EditSubject = { ...subject, asked: { start: 0, end: 1 }, isCursor: true };
    assert.deepEqual(after(propose(search("  return 2;", "  return 3;"), cursor)), lines.with(7, "  return 3;"));
  });

  it("is refused where a block would replace the line of the cursor as a whole", () => {
    const cursor: EditSubject = { ...subject, asked: { start: 3, end: 4 }, isCursor: true };
    assert.deepEqual(kinds(propose(replace, cursor)), ["noTarget"]);
  });

  it("is refused as a whole when one of its blocks has no place", () => {
    assert.deepEqual(kinds(propose(`${replace}\n\n${search("import c;", "import b;")}`, subject)), ["notFound"]);
  });

  it("keeps what else it would change as problems", () => {
    const other = "*** Begin Patch\n*** Add File: src/b.ts\n+b\n*** End Patch";
    const edit = propose(`${replace}\n\n${other}`, subject);
    assert.equal(edit.type, "change");
    assert.deepEqual(kinds(edit), ["otherFile"]);
    assert.deepEqual(kinds(propose(other, subject)), ["otherFile"]);
  });

  it("is none for an explanation, with its only block to insert", () => {
    assert.deepEqual(propose("It returns `1`.", subject), { type: "none", code: undefined });
    assert.deepEqual(propose("For example:\n\n```ts\none();\n```", subject), { type: "none", code: ["one();"] });
  });

  it("is none for a part of the file that is quoted under its name", () => {
    const long = Array.from({ length: 40 }, (_, index) => `line ${index};`);
    const quoted = "src/a.ts\n```ts\nline 3;\n```";
    assert.deepEqual(propose(quoted, { ...subject, lines: long }), { type: "none", code: ["line 3;"] });
  });

  it("says that nothing changes", () => {
    assert.deepEqual(kinds(propose(replace.replace("return a", "return 1"), subject)), ["noChange"]);
  });

  it("is refused with characters that nobody sees, and inside of HTML", () => {
    assert.deepEqual(kinds(propose(replace.replace("a;", "a\u202e;"), subject)), ["unseen"]);
    assert.deepEqual(kinds(propose(`<!--\n${replace}\n-->`, subject)), ["html"]);
  });

  it("is the same wherever its lines are, and another with other old or new lines", () => {
    const one = propose(replace, subject);
    const moved = propose(replace, { ...subject, lines: ["// a", ...lines], asked: { start: 3, end: 6 } });
    const edited = propose(replace, { ...subject, lines: lines.with(3, "  return 10;") });
    assert.ok(one.type === "change" && moved.type === "change" && edited.type === "change");
    assert.ok(isSameChange(one.hunks, moved.hunks));
    assert.ok(!isSameChange(one.hunks, edited.hunks));
    assert.ok(!isSameChange(one.hunks, []));
  });

  it("keeps secrets, which the model knows by their placeholders, and refuses these in new lines", () => {
    const line = `  return "${randomTexts(1).base62(24)}"; // token`;
    const withSecret = lines.with(3, `  token = ${line.slice(9, -9)}`);
    const placeholder = maskText(withSecret.join("\n")).split("\n")[3] ?? "";
    const replaced = (...code: readonly string[]): AnswerEdit =>
      propose(["```ts replace", ...code, "```"].join("\n"), { ...subject, lines: withSecret });
    const edit = replaced("function uno() {", placeholder, "}");
    assert.ok(edit.type === "change");
    assert.deepEqual(withHunks(withSecret, edit.hunks), withSecret.with(2, "function uno() {"));
    assert.deepEqual(kinds(replaced("function one() {", `${placeholder} + 1`, "}")), ["masked"]);
  });
});

function after(edit: AnswerEdit): readonly string[] | undefined {
  return edit.type === "change" ? withHunks(lines, edit.hunks) : undefined;
}

function kinds(edit: AnswerEdit): readonly string[] {
  return edit.type === "none" ? [] : edit.problems.map(({ kind }) => kind);
}
