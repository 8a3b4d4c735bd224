import assert from "node:assert/strict";
import { resolveAnswer } from "../../../src/chat/edit/resolveAnswer.ts";
import { type EditReading, readEdits } from "../../../src/edits/read/readEdits.ts";
import { maskText } from "../../../src/text/maskSecrets.ts";
import { randomTexts } from "../../support/randomTexts.ts";

const line = `token = "${randomTexts(1).base62(24)}"`;
const text = `a = 1\n${line}\nb = 2\n`;
const known = {
  texts: new Map([["a.py", text]]),
  whole: new Set<string>(),

  closed: new Map(),
};

const read = (answer: string): EditReading => readEdits(answer, known.texts);

describe("the edits of an answer in the chat", () => {
  it("keep secrets, and are refused with a placeholder in a new line", () => {
    const patch = (...rows: readonly string[]): string =>
      ["*** Begin Patch", "*** Update File: a.py", "@@", ...rows, "*** End Patch"].join("\n");
    const placeholder = maskText(line);
    const kept = resolveAnswer(read(patch("-a = 1", "+a = 2", ` ${placeholder}`)), known);
    assert.deepEqual(
      kept.changes.map((change) => change.text),
      [text.replace("a = 1", "a = 2")],
    );
    const refused = resolveAnswer(read(patch(` ${placeholder}`, `+other = ${placeholder.slice(8)}`)), known);
    assert.deepEqual([refused.changes, refused.problems], [[], [{ kind: "masked", path: "a.py" }]]);
  });
});
