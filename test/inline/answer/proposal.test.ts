import assert from "node:assert/strict";
import {
  type AnswerEdit,
  type EditSubject,
  exactHunks,
  isSameChange,
  propose,
  readAnswer,
} from "../../../src/inline/answer/proposal.ts";
import { onlyBlock } from "../../../src/inline/answer/shownAnswer.ts";
import { withHunks } from "../../../src/text/lineHunks.ts";
import { each } from "../../support/each.ts";
import { randomTexts } from "../../support/randomTexts.ts";

const lines = ["import a;", "", "function one() {", "  return 1;", "}", "", "function two() {", "  return 2;", "}", ""];
const subject: EditSubject = { path: "src/a.ts", lines, target: { start: 2, end: 5 }, isCursor: false };

const replace = "So:\n\n```ts replace\nfunction one() {\n  return a;\n}\n```\n\nDone.";
const search = (old: string, text: string): string => `<<<<<<< SEARCH\n${old}\n=======\n${text}\n>>>>>>> REPLACE`;
const lost = search("import c;", "import b;");
const other = "*** Begin Patch\n*** Add File: src/b.ts\n+b\n*** End Patch";
const unread = `src/b.ts\n\`\`\`ts\n${search("one();", "uno();")}\n\`\`\``;
const cursor = { ...subject, target: { start: 3, end: 4 }, isCursor: true };
const long = { ...subject, lines: Array.from({ length: 40 }, (_, index) => `line ${index};`) };

describe("what an answer proposes", () => {
  it("is the replacement of the lines in question, as the lines that differ", () => {
    assert.deepEqual(proposed(replace, subject), {
      hunks: [{ start: 3, end: 4, lines: ["  return a;"], before: ["  return 1;"] }],
      misfits: [],
    });
    const { code, hasReplacement, ranges } = readAnswer(replace, "src/a.ts");
    assert.deepEqual(code, ["function one() {", "  return a;", "}"]);
    assert.ok(hasReplacement);
    assert.deepEqual(ranges, [{ start: 2, end: 7 }]);
  });

  each<[string, EditSubject], readonly string[]>([
    ["is refused where a block would replace the line of the cursor", replace, cursor, ["none", "noTarget"]],
    ["is refused as a whole when a block has no place", `${replace}\n\n${lost}`, subject, ["none", "notFound"]],
    ["keeps what else it would change as misfits", `${replace}\n\n${other}`, subject, ["change", "otherFile"]],
    ["leaves out changes of a file that it has not read", `${replace}\n\n${unread}`, subject, ["change", "otherFile"]],
    ["is refused for another file", other, subject, ["none", "otherFile"]],
    ["is none for an example", "For example:\n\n```ts\none();\n```", subject, ["none"]],
    ["is none for a part of the file that is quoted under its name", "src/a.ts\n```ts\nline 3;\n```", long, ["none"]],
    ["says that nothing changes", replace.replace("return a", "return 1"), subject, ["none", "noChange"]],
  ]).gives((answer, about) => {
    const edit = proposed(answer, about);
    return [edit.hunks.length > 0 ? "change" : "none", ...kinds(edit)];
  });

  it("is the same wherever its lines are, and another with other old or new lines", () => {
    const hunk = { start: 3, end: 4, lines: ["b"], before: ["a"] };
    assert.ok(isSameChange([hunk], [{ ...hunk, start: 5, end: 6 }]));
    for (const other of [[{ ...hunk, lines: ["c"] }], [{ ...hunk, before: ["c"] }], []])
      assert.ok(!isSameChange([hunk], other));
  });

  it("keeps secrets, which the model knows by their placeholders, and refuses these in new lines", () => {
    const [value, placeholder] = [randomTexts(1).base62(24), "[secret 123456 removed]"];
    const withSecret = lines.with(3, `  token = "${value}"; // token`);
    const replaced = (...code: readonly string[]): AnswerEdit => {
      const answer = ["```ts replace", ...code, "```"].join("\n");
      const reading = readAnswer(answer, subject.path, (line) => line.replace(placeholder, value));
      return propose(reading, { ...subject, lines: withSecret });
    };
    const known = `  token = "${placeholder}"; // token`;
    const { hunks } = replaced("function uno() {", known, "}");
    assert.deepEqual(withHunks(withSecret, hunks), withSecret.with(2, "function uno() {"));
    assert.deepEqual(kinds(replaced("function one() {", `${known} + 1`, "}")), ["masked"]);
  });
});

describe("the exact hunks of a change", () => {
  it("leave out lines that stay, join those that touch, and have no line break in a line", () => {
    const edits = [
      { start: 0, end: 6, lines: ["a", "B", "c", "d", "e", "F\rF2"] },
      { start: 6, end: 7, lines: ["G"] },
    ];
    assert.deepEqual(exactHunks(Array.from("abcdefghij"), edits), [
      { start: 1, end: 2, lines: ["B"], before: ["b"] },
      { start: 5, end: 7, lines: ["F", "F2", "G"], before: ["f", "g"] },
    ]);
  });
});

describe("the block of an answer", () => {
  each<[string], readonly string[] | undefined>([
    ["can be inserted if it is the only one", "So:\n\n```ts\na\n\n\tb\n```\n\nDone.", ["a", "", "\tb"]],
    ["is none where there is none", "Nothing.", undefined],
    ["cannot be inserted if it is in a comment", "<!--\n```ts\na\n```\n-->", undefined],
    ["cannot be inserted if a character of it is not seen", "```ts\na\u2066\n```", undefined],
    ["cannot be inserted if a part of it is out of view", `\`\`\`ts\na;${" ".repeat(300)}b\n\`\`\``, undefined],
  ]).gives(onlyBlock);

  it("cannot be inserted if VS Code renders only a part of it", () => {
    const code = "a".repeat(99).concat("\n");
    assert.equal(onlyBlock(`\`\`\`ts\n${code.repeat(900)}\`\`\``)?.length, 900);
    assert.equal(onlyBlock(`\`\`\`ts\n${code.repeat(1_100)}\`\`\``), undefined);
    assert.equal(onlyBlock(`${code.repeat(1_100)}\n\`\`\`ts\na\n\`\`\``), undefined);
    // What is escaped takes more room.
    assert.equal(onlyBlock(`${"<b>".repeat(30_000)}\n\`\`\`ts\na\n\`\`\``), undefined);
  });
});

function proposed(answer: string, about: EditSubject): AnswerEdit {
  return propose(readAnswer(answer, about.path), about);
}

function kinds({ misfits }: AnswerEdit): readonly string[] {
  return misfits.map(({ kind }) => kind);
}
