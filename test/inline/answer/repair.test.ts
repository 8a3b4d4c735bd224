import assert from "node:assert/strict";
import fc from "fast-check";
import { propose, readAnswer, secondPrompt } from "../../../src/inline/answer/proposal.ts";
import type { LineRange } from "../../../src/text/lineRange.ts";
import { anchors, hostileAnswer, toldAnew } from "../../support/edits/hostileAnswer.ts";
import { randomTexts } from "../../support/randomTexts.ts";

const lines = Array.from({ length: 60 }, (_, index) => `line ${index + 1};`);
const search = (old: string, text: string): string => `<<<<<<< SEARCH\n${old}\n=======\n${text}\n>>>>>>> REPLACE`;

describe("the second attempt at an edit", () => {
  it("is asked for with the first line that differs and the file's lines there", () => {
    const prompt = ask(search("line 30;\nline thirty-one;\nline 32;", "x"));
    assert.match(
      prompt ?? "",
      /begin with `line 30;` cannot be applied: its old lines are not in the file\.\nThe first line that differs is `line thirty-one;`; the file has `line 31;` in line 31\.\nThe file there, from line 27:\n```\nline 27;\n[^]*line 35;\n```/,
    );
  });

  it("is asked for with the reason alone where the file has no such lines", () => {
    assert.match(ask(search("nowhere", "x")) ?? "", /begin with `nowhere` cannot be applied: [^\n]*\n\nGive all edits/);
  });

  it("is asked for where the old lines are abbreviated or in several places", () => {
    assert.match(ask(search("line 1;\n...\nline 9;", "x")) ?? "", /abbreviated/);
    assert.match(ask(search("same", "x"), [...lines, "same", "-", "same"]) ?? "", /more than once/);
  });

  it("quotes nothing of what was not quoted before, whatever the answer says", () => {
    const document = lines.flatMap((line, index) => [anchors[index % anchors.length] ?? "", line]);
    const quoted = document.slice(40, 60);
    let told = 0;
    fc.assert(
      fc.property(hostileAnswer(["a.ts"], lines), (answer) => {
        const reading = readAnswer(answer, "a.ts");
        const edit = propose(reading, {
          path: "a.ts",
          lines: document,
          asked: { start: 40, end: 41 },
          isCursor: false,
        });
        if (edit.type !== "misfit") return;
        const ask = (shown: LineRange): string =>
          secondPrompt(reading.operations, { path: "a.ts", lines: document, shown }, edit.misfits) ?? "";
        assert.deepEqual(toldAnew(ask({ start: 40, end: 60 }), lines, quoted.join("\n") + answer), []);
        told += toldAnew(ask({ start: 0, end: document.length }), lines, quoted.join("\n") + answer).length;
      }),
      { numRuns: 500 },
    );
    assert.ok(told > 100, `${told} lines would be told`);
  });

  it("quotes no secret", () => {
    const secret = randomTexts(1).base62(24);
    const prompt = ask(search("line 30;\nconst passwort = 1;\nline 32;", "x"), [
      ...lines.slice(0, 30),
      `const password = "${secret}";`,
      ...lines.slice(31),
    ]);
    assert.match(prompt ?? "", /const password = "\[secret \d{6} removed\]";/);
    assert.ok(prompt?.includes(secret) === false);
  });

  it("is not asked for where it would not help", () => {
    assert.equal(ask(search("line 1;", "a\u202e")), undefined);
    assert.equal(ask(search("line 1;", "line 1;")), undefined);
    assert.equal(ask("```ts replace\na"), undefined);
  });
});

function ask(answer: string, texts: readonly string[] = lines): string | undefined {
  const subject = { path: "a.ts", lines: texts, asked: { start: 0, end: 1 }, isCursor: false };
  const reading = readAnswer(answer, "a.ts");
  const edit = propose(reading, subject);
  assert.ok(edit.type === "misfit", JSON.stringify(edit));
  return secondPrompt(
    reading.operations,
    { path: "a.ts", lines: texts, shown: { start: 0, end: texts.length } },
    edit.misfits,
  );
}
