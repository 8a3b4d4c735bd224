import assert from "node:assert/strict";
import { cleanCompletion } from "../../src/completions/cleanCompletion.ts";
import { type CompletionKind, completionKind } from "../../src/completions/completionKind.ts";
import { trimToKind, finishedPart } from "../../src/completions/finishedPart.ts";
import { each } from "../support/each.ts";
import { fixtures } from "./fixtures.ts";

const context = (prefix: string, suffix: string, languageId = "typescript") => ({ prefix, suffix, languageId });

/** What is used of an answer that comes in pieces; all of it where no part is whole before its end. */
function cut(answer: string, where: Parameters<typeof finishedPart>[1], kind: CompletionKind): string {
  for (let end = 1; end <= answer.length; end += 1) {
    if (answer[end - 1] !== "\n" && end < answer.length) continue;
    const part = finishedPart(answer.slice(0, end), where, kind);
    if (part !== undefined) return part;
  }
  return answer;
}

describe("an answer is whole", () => {
  it("with all lines between brackets that the editor has closed", () => {
    assert.equal(trimToKind("\n  a,\n  b,\n", "rest"), "\n  a,\n  b,\n");
  });

  const more = "\nmore();\nevenMore();\n";
  const line = context("const a = ", "\n");
  const body = context("function f() {\n", "\n}\n");
  const closed = "if (a) {\n    b();\n  }\n  return c;\n});";
  const fence = "```ts\na();\nb();\n```";
  each<[answer: string, Parameters<typeof finishedPart>[1]], CompletionKind>([
    ["when its line ends", "1;", line, "rest"],
    ["when the block is closed, at the line's end", closed, context("each(function f() {\n  ", "\n});\n"), "block"],
    [
      "when it reaches the code after the cursor",
      "a();\n  return finished(result);",
      context("function f() {\n  ", "\n  return finished(result);\n}\n"),
      "block",
    ],
    ["when its fence ends", fence, body, "block"],
    ["when its fence ends, also after a sentence", `This is what should come next.\n\n${fence}`, body, "block"],
    ["not while the model thinks", "<think>\nThe user wants\nx = 2;\nand more.\n</think>\n1;", line, "rest"],
    ["not while it plans", "<plan>\nThe user wants\nx = 2;\nand more.\n</plan>\n1;", line, "rest"],
  ]).hold((answer, where, kind) => {
    assert.equal(cut(answer + more, where, kind), answer);
  });

  it("when the line after what introduces it has ended, and still stands after the next one", () => {
    for (const introduction of ["Here is the code:", "Completion:", "To complete this, add:", "补全内容如下："])
      assert.equal(
        cut(`${introduction}\n1;${more}`, context("const a = ", "\n"), "rest"),
        `${introduction}\n1;\nmore();`,
      );
  });

  it("when a line after those that it repeats still stands after the next one", () => {
    const where = context("function f() {\n  const a = 1;\n  const ", "\n}\n");
    const repeated = "function f() {\n  const a = 1;\n  const b = 2;";
    assert.equal(cut(repeated + more, where, "rest"), `${repeated}\nmore();`);
  });

  it("when it becomes too long to be read", () => {
    const long = "a();\n".repeat(60);
    assert.ok(cut(long, context("function f() {\n", "\n}"), "block").length < long.length);
    assert.ok(finishedPart("a".repeat(20_000), context("a();\n", "\n"), "rest"));
  });

  it("never before it says anything", () => {
    assert.equal(finishedPart("\n\n  \n", context("a();\n", "\n"), "line"), undefined);
    assert.equal(finishedPart("<|cursor|>\n", context("a();\n", "\n"), "line"), undefined);
  });
});

describe("an answer that is cut off when it is whole", () => {
  // Of these, only later lines say what the first one is.
  const unclear = [
    "gets the indentation of its first line from the lines around it",
    "loses everything outside of the tag",
  ];
  for (const { title, prefix, suffix, languageId, answers } of fixtures) {
    const where = { prefix, suffix, languageId };
    const kind = completionKind(where, false);
    if (kind === "none" || unclear.includes(title)) continue;
    it(`gives what the answer to its end gives: ${title}, in ${languageId}`, () => {
      for (const answer of answers) {
        const used = trimToKind(cleanCompletion(cut(answer, where, kind), where), kind);
        assert.equal(used, trimToKind(cleanCompletion(answer, where), kind), answer);
      }
    });
  }
});
