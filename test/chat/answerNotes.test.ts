import assert from "node:assert/strict";
import { extensionLine, noteLines } from "../../src/chat/answerNotes.ts";
import type { Note } from "../../src/chat/context/planQuestion.ts";

describe("a line that the extension adds to an answer", () => {
  it("breaks between its words, and stands alone", () => {
    const { value } = extensionLine("The model was asked once more", "sync");
    assert.equal(value.trim(), "$(sync) _The model was asked once more_");
    assert.match(value, /^\n\n[^]*\n\n$/);
  });

  it("shows names of files as they are, and nothing that they would bring in", () => {
    const names = ["a_b*.ts", "$(error)", "[x](command:evil)", "two\nlines"];
    const [line] = noteLines(names.map((name) => ({ kind: "unreadable", name })));
    const value = line?.value ?? "";
    assert.match(value, /a\\_b\\\*\\\.ts/);
    assert.match(value, /two lines/);
    assert.doesNotMatch(value.replace("$(info)", ""), /\$\(|\]\(|<|&/);
  });

  it("says what was cut, not read, not sent, or sent although it may hold secrets, each reason once, in this order", () => {
    const cut = { truncated: ["long.ts"], omitted: ["rest.ts"], masked: ["a.ts"] };
    const closed = { unreadable: ["a.bin"], secret: [".env"], sentSecret: ["id_rsa"], outside: ["x", "y", "x"] };
    const kinds = Object.entries({
      ...cut,
      ...closed,
      ignored: ["built.js"],
      overLimit: ["large.txt"],
      historyOmitted: [""],
    });
    const notes = kinds.flatMap(([kind, names]) => names.map((name) => ({ kind, name }) as Note));
    const lines = noteLines(notes.toReversed()).map(({ value }) => value.replaceAll("\\", ""));
    assert.equal(lines.length, kinds.length);
    for (const [index, [, names]] of kinds.entries()) {
      for (const name of names) assert.ok(lines[index]?.includes(name), name);
    }
    assert.match(lines[6] ?? "", /: x, y\. Attach/);
  });
});
