import assert from "node:assert/strict";
import { propose, readAnswer } from "../../../src/inline/answer/proposal.ts";
import { showAnswer, showChange } from "../../../src/inline/answer/shownAnswer.ts";

/** VS Code 1.139 renders so many characters of Markdown, and nothing after them. */
const mostRendered = 100_000;

/** More lines than VS Code renders, many of which are longer when they are shown. Each w stands for a word of its own. */
const prose = manyLines("p", ["w ".repeat(28), "", "- w <b> w", "![w](w)", "w \u200b\u200b w", `w${" ".repeat(200)}w`]);
const code = manyLines("c", ["w();", "\tw", `// ${"w ".repeat(16)}w`, "", "w <b> w", "  ```w"]);
const proseRendered = showAnswer(prose.join("\n")).end;
const codeRendered = showAnswer(`\`\`\`\`ts\n${code.join("\n")}\n\`\`\`\``).text.split("\n").length - 2;

/** A long line, with which a change is shown longer than the answer is. */
const last = `last(${"1, ".repeat(200)}2);`;

/** Answers with the same code, which replaces the last line of a file, is an example, or is quoted. */
const forms: readonly ((code: string) => string)[] = [
  (code) => `\`\`\`\`ts replace\n${code}\n\`\`\`\``,
  (code) => `a.ts\n\`\`\`\`ts\n<<<<<<< SEARCH\n${last}\n=======\n${code}\n>>>>>>> REPLACE\n\`\`\`\``,
  (code) => `\`\`\`\`ts\n${code}\n\`\`\`\``,
  (code) => `> \`\`\`\`ts\n> ${code.replaceAll("\n", "\n> ")}\n> \`\`\`\``,
];
const file = { path: "a.ts", lines: ["first();", last], target: { start: 1, end: 2 }, isCursor: false };

describe("an answer about as long as VS Code renders", function () {
  this.timeout(120_000);

  it("has nothing to copy, insert or apply that its thread does not hold", () => {
    const found = { inserted: 0, applied: 0, cut: 0, tooLong: 0 };
    for (let left = 0; left < 24; left += 3) {
      for (const form of forms) {
        const behindProse = `${prose.slice(0, proseRendered - left).join("\n")}\n\n${form(code.slice(0, 10).join("\n"))}`;
        const beforeProse = form(code.slice(0, codeRendered - left).join("\n"));
        for (const answer of [behindProse, beforeProse].map((one) => `${one}\n${prose.slice(-9).join("\n")}`)) {
          const reading = readAnswer(answer, file.path);
          const { hunks, misfits } = propose(reading, file);
          const change = hunks.length > 0 ? showChange(reading, file.lines, hunks) : undefined;
          const shown = change ?? showAnswer(answer);
          // Of an answer that was cut off, nothing can be inserted.
          for (const one of change ? [change] : [shown, showAnswer(answer, "Cut off.")]) {
            assert.ok(one.markdown.length <= mostRendered);
            assert.deepEqual(wordsBeside(one.markdown, [one.text]), [], "copied");
          }
          const isApplied = change?.isWhole === true;
          const applied = isApplied ? hunks.flatMap(({ lines }) => lines) : [];
          assert.deepEqual(wordsBeside(shown.markdown, applied), [], "applied");
          const isInserted = change ? reading.hasReplacement && isApplied : reading.code && misfits.length === 0;
          const inserted = isInserted ? (reading.code ?? []) : [];
          assert.deepEqual(wordsBeside(shown.markdown, inserted), [], "inserted");
          found.inserted += isInserted ? 1 : 0;
          found.applied += isApplied ? 1 : 0;
          found.cut += shown.markdown.endsWith("\n\n…") ? 1 : 0;
          found.tooLong += reading.truncation?.kind === "tooLong" ? 1 : 0;
        }
      }
    }
    for (const [what, count] of Object.entries(found)) assert.ok(count > 0, what);
  });
});

function manyLines(name: string, forms: readonly string[]): readonly string[] {
  return Array.from({ length: 8_000 }, (_, index) =>
    (forms[index % forms.length] ?? "").replaceAll("w", (_, at) => `w${name}${index}x${at}w`),
  );
}

/** The words of these texts that are not in the Markdown. */
function wordsBeside(markdown: string, texts: readonly string[]): readonly string[] {
  const words = new Set(markdown.match(/w[\da-z]+w/g));
  return (texts.join("\n").match(/w[\da-z]+w/g) ?? []).filter((word) => !words.has(word));
}
