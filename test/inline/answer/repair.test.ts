import assert from "node:assert/strict";
import type { Restore } from "../../../src/edits/resolveEdits.ts";
import { mergedAnswer, propose, readAnswer, repairPromptFor } from "../../../src/inline/answer/proposal.ts";
import { shownText } from "../../../src/prompts/shownText.ts";
import { each } from "../../support/each.ts";

const lines = Array.from({ length: 60 }, (_, index) => `line ${index + 1};`);
const search = (old: string, text: string): string => `<<<<<<< SEARCH\n${old}\n=======\n${text}\n>>>>>>> REPLACE`;

describe("the second attempt at an edit", () => {
  const twice = [...lines, "same", "-", "same"];
  each<[string, readonly string[]], RegExp>([
    [
      "is asked for with the first line that differs and the file's lines there",
      search("line 30;\nline thirty-one;\nline 32;", "x"),
      lines,
      /begin with the line below cannot be applied: its old lines are not in the file\.\n```\nline 30;\n```\nThe first of its old lines that differs is:\n```\nline thirty-one;\n```\nThe file has another line 31\.\nThe file there, from line 27:\n```\nline 27;\n[^]*line 35;\n```/,
    ],
    [
      "is asked for with the reason alone where the file has no such lines",
      search("nowhere", "x"),
      lines,
      /begin with the line below cannot be applied: [^\n]*\n```\nnowhere\n```\n\nGive all edits/,
    ],
    ["is asked for where the old lines are abbreviated", search("line 1;\n...\nline 9;", "x"), lines, /abbreviated/],
    ["is asked for where HTML may hide its lines", search("line 1;", "<!-- one -->"), lines, /into a fenced block/],
    ["is asked for where they are in several places", search("same", "x"), twice, /more than once/],
  ]).hold((answer, texts, prompt) => {
    assert.match(ask(answer, texts) ?? "", prompt);
  });

  it("quotes what the model wrote as it wrote it, and compares it by what its placeholders stand for", () => {
    const restore = (line: string): string => line.replace("[secret 123456 removed]", "real");
    const prompt = ask(search('a = "[secret 123456 removed]"\nwrong', "x"), ['a = "real"', "b", "c"], restore) ?? "";
    assert.match(prompt, /line below [^\n]*\n```\na = "\[secret 123456 removed\]"\n```\nThe first[^\n]*\n```\nwrong\n/);
  });

  const [replacement, misfit] = ["```ts replace\none\n```", search("nowhere", "x")];
  each([
    ["keeps a replacement that fits", [replacement, misfit], search("line 30;", "x")],
    ["keeps an edit elsewhere that fits", [misfit, search("line 30;", "x")], replacement],
    ["may repeat what fits", [replacement, misfit, search("line 30;", "x")], search("line 30;", "x")],
  ]).hold((first: readonly string[], second: string) => {
    const subject = { path: "a.ts", lines, target: { start: 0, end: 1 }, isCursor: false };
    const reading = readAnswer(first.join("\n\n"), "a.ts");
    const all = mergedAnswer(readAnswer(second, "a.ts"), { reading, ...propose(reading, subject) });
    const { hunks } = propose(all, subject);
    const changed = hunks.map((hunk) => [hunk.start, ...hunk.lines].join(" "));
    assert.deepEqual(changed, ["0 one", "29 x"]);
    assert.ok(all.hasReplacement);
  });

  it("changes nothing without edits of its own", () => {
    const reading = readAnswer(`${replacement}\n\n${misfit}`, "a.ts");
    const second = readAnswer("There is nothing to change.", "a.ts");
    assert.equal(mergedAnswer(second, { reading, misfits: [] }), second);
  });

  it("is not asked for where it would not help", () => {
    for (const answer of [search("line 1;", "a\u202e"), search("line 1;", "line 1;"), "```ts replace\na"])
      assert.equal(ask(answer), undefined, answer);
  });
});

function ask(answer: string, texts: readonly string[] = lines, restore?: Restore): string | undefined {
  const subject = { path: "a.ts", lines: texts, target: { start: 0, end: 1 }, isCursor: false };
  const reading = readAnswer(answer, "a.ts", restore);
  const edit = propose(reading, subject);
  assert.ok(edit.hunks.length === 0 && edit.misfits.length > 0, JSON.stringify(edit));
  const shown = new Map([["a.ts", shownText([{ start: 0, text: texts.join("\n") }])]]);
  return repairPromptFor(reading, shown, edit.misfits);
}
