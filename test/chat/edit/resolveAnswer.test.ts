import assert from "node:assert/strict";
import { resolveAnswer } from "../../../src/chat/edit/resolveAnswer.ts";
import { type EditReading, readEdits } from "../../../src/edits/read/readEdits.ts";
import { randomTexts } from "../../support/randomTexts.ts";

const value = randomTexts(1).base62(24);
const line = `token = "${value}"`;
const placeholder = "[secret 123456 removed]";
const text = `a = 1\n${line}\nb = 2\n`;
const known = {
  texts: new Map([["a.py", text]]),
  shownInFull: new Set<string>(),
  denied: new Map(),
  restore: (text: string) => text.replace(placeholder, value),
};

const read = (answer: string): EditReading => readEdits(answer, known.texts);

describe("the edits of an answer in the chat", () => {
  it("keep secrets, and are refused with a placeholder in a new line", () => {
    const patch = (...rows: readonly string[]): string =>
      ["*** Begin Patch", "*** Update File: a.py", "@@", ...rows, "*** End Patch"].join("\n");
    const masked = line.replace(value, placeholder);
    const kept = resolveAnswer(read(patch("-a = 1", "+a = 2", ` ${masked}`)), known);
    assert.equal(kept.changes[0]?.text, text.replace("a = 1", "a = 2"));
    const refused = resolveAnswer(read(patch(` ${masked}`, `+other = ${masked.slice(8)}`)), known);
    assert.deepEqual([refused.changes, refused.problems], [[], [{ kind: "masked", path: "a.py" }]]);
  });

  it("change all files or none", () => {
    const texts = new Map(["a.ts", "b.ts", "c.ts"].map((path) => [path, "one\ntwo\n"]));
    const patch = [
      ...["*** Begin Patch", "*** Update File: a.ts", "@@", "-one", "+1", "*** Delete File: b.ts"],
      ...["*** Update File: c.ts", "*** Move to: moved/c.ts", "@@", "-two", "+2", "*** Add File: new.ts", "+new"],
      "*** End Patch",
    ];
    const changesBy = (lines: readonly string[]): readonly unknown[] =>
      resolveAnswer(readEdits(lines.join("\n"), texts), { ...known, texts }).changes.map(
        ({ kind, path, newPath, text }) => [kind, path, newPath, text],
      );
    assert.deepEqual(changesBy(patch), [
      ["update", "a.ts", undefined, "1\ntwo\n"],
      ["delete", "b.ts", undefined, ""],
      ["rename", "c.ts", "moved/c.ts", "one\n2\n"],
      ["create", "new.ts", undefined, "new\n"],
    ]);
    for (let end = 0; end < patch.length; end += 1) assert.deepEqual(changesBy(patch.slice(0, end)), [], `${end}`);
    assert.deepEqual(changesBy(patch.with(9, "-other")), []);
  });
});
