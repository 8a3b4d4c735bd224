import assert from "node:assert/strict";
import { lexer, walkTokens } from "marked";
import { propose, readAnswer } from "../../../src/inline/answer/proposal.ts";
import { showAnswer, showChange } from "../../../src/inline/answer/shownAnswer.ts";
import { chance, oneOf } from "../../support/random.ts";

/** What VS Code 1.139 renders of Markdown, in characters. */
const longestRendered = 100_000;
/** As many as take about five seconds. 10,000 were run once. */
const runs = 60;

describe("an answer about as long as VS Code renders", function () {
  this.timeout(120_000);

  it("has nothing to copy, insert or apply that its thread does not hold", () => {
    const found = { inserted: 0, applied: 0, cut: 0, tooLong: 0 };
    for (let seed = 1; seed <= runs; seed += 1) {
      const { answer, lines } = answerOf(chance(seed));
      const target = { start: lines.length - 1, end: lines.length };
      const reading = readAnswer(answer, "a.ts");
      const { hunks, misfits } = propose(reading, { path: "a.ts", lines, target, isCursor: false });
      const change = hunks.length > 0 ? showChange(reading, lines, hunks) : undefined;
      // Of an answer that was cut off, nothing can be inserted.
      const cutOff = showAnswer(answer, "Cut off.");
      for (const shown of change ? [change] : [showAnswer(answer), cutOff]) {
        const held = wordsIn(rendered(shown.markdown));
        const holds = (texts: readonly string[], what: string): void => {
          const missing = [...wordsIn(texts.join("\n"))].filter((word) => !held.has(word));
          assert.deepEqual(missing, [], `${what}, with ${seed}`);
        };
        assert.ok(shown.markdown.length <= longestRendered);
        holds([shown.text], "copied");
        found.cut += shown.markdown.includes("\n\n…") ? 1 : 0;
        if (change?.isWhole === true) {
          found.applied += 1;
          holds(
            hunks.flatMap((hunk) => [...hunk.before, ...hunk.lines]),
            "applied",
          );
        }
        const isInsertable = change ? reading.hasReplacement && change.isWhole : misfits.length === 0;
        if (!isInsertable || !reading.code || shown === cutOff) continue;
        found.inserted += 1;
        const known = new Set(lines);
        holds(
          reading.code.filter((line) => !known.has(line)),
          "inserted",
        );
      }
      found.tooLong += reading.truncation?.kind === "tooLong" ? 1 : 0;
    }
    for (const [what, count] of Object.entries(found)) assert.ok(count > 0, what);
  });
});

/** An answer with a block where VS Code stops, and the lines of the file that it is about. Each word is there only once. */
function answerOf(random: () => number): { readonly answer: string; readonly lines: readonly string[] } {
  let words = 0;
  const withWords = (form: string): string =>
    form.replaceAll("w", () => `w${(words++).toString(36).padStart(4, "0")}w`);
  const fill = (forms: readonly string[], length: number): readonly string[] => {
    const filled: string[] = [];
    for (let left = length; left > 0 || filled.length === 0;) {
      const form = oneOf(forms, random);
      filled.push(withWords(form));
      left -= lengthOf(form);
    }
    return filled;
  };
  const lines = fill(codeLines, oneOf([300, 300, 20_000, 50_000], random));
  const last = lines.at(-1) ?? "";
  const said = (length: number): string => fill(proseLines, length).join("\n");
  const block = (length: number): string => {
    const code = fill(codeLines, length).join("\n");
    const blocks = [
      `\`\`\`\`ts replace\n${code}\n\`\`\`\``,
      `\`\`\`\`ts\n${code}\n\`\`\`\``,
      `a.ts\n\`\`\`\`ts\n<<<<<<< SEARCH\n${last}\n=======\n${code}\n>>>>>>> REPLACE\n\`\`\`\``,
      `> \`\`\`\`ts\n> ${code.replaceAll("\n", "\n> ")}\n> \`\`\`\``,
    ];
    return oneOf(blocks, random);
  };
  const around = longestRendered - Math.floor(random() * 700);
  const answers = [
    () => `${said(around)}\n\n${block(300)}\n${said(600)}`,
    () => `${said(300)}\n\n${block(around - 400)}\n${said(600)}`,
    () => `${block(around - lines.join("\n").length - 200)}\n${said(200)}`,
    () => `${said(around / 2)}\n\n${block(around / 2)}`,
  ];
  return { answer: oneOf(answers, random)(), lines };
}

const lengths = new Map<string, number>();

/** The length of a line as it is shown, with its line break. */
function lengthOf(form: string): number {
  const length = lengths.get(form) ?? showAnswer(form.replaceAll("w", "w0000w")).markdown.length + 1;
  lengths.set(form, length);
  return length;
}

/** Each w is a word. */
const codeLines = ["w();", "  let w = w;", "\tw", `// ${"w ".repeat(16)}w`, "", "w <b> w", "`w`", "  ```w"];
const proseLines = [
  ...["w ".repeat(28), "", "- w", "  1. w `w` w", "> w <b> w", "# w", "<div w", "<!-- w", "w -->", "[w]: w", "![w](w)"],
  ...[
    "[w](w) w",
    "`w <b w",
    "w \u200b\u200b w",
    "| w | w |",
    `w${" ".repeat(200)}w`,
    `    w${" ".repeat(150)}w`,
    "w & w",
  ],
];

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.match(/\bw[\da-z]+w\b/g));
}

/** What is to be read of Markdown, where its links lead, and the languages of its blocks. */
function rendered(markdown: string): string {
  const texts: string[] = [];
  void walkTokens(lexer(markdown.slice(0, longestRendered)), (token) => {
    if (token.type === "html" || token.type === "def" || token.type === "image") return;
    if (token.type === "link") texts.push(String(token.href));
    if (token.type === "code") texts.push(String(token.lang));
    const children = "tokens" in token ? (token.tokens ?? []) : [];
    if (children.length === 0 && "text" in token) texts.push(String(token.text));
  });
  return texts.join("\n");
}
