import assert from "node:assert/strict";
import { Hunks } from "../../src/apply/hunks.ts";
import { composeQuestion, fitContext } from "../../src/chat/context/planQuestion.ts";
import { excerptsOf } from "../../src/chat/context/find/excerpts.ts";
import { namesIn, wordsIn } from "../../src/chat/context/find/rankFiles.ts";
import { cleanCompletion } from "../../src/completions/cleanCompletion.ts";
import { completionKind } from "../../src/completions/completionKind.ts";
import { finishedPart } from "../../src/completions/finishedPart.ts";
import { fitIndentation } from "../../src/edits/place/reindent.ts";
import { joinTyped } from "../../src/git/joinTyped.ts";
import { readMessage } from "../../src/git/readMessage.ts";
import { locateFindings } from "../../src/git/review/locateFindings.ts";
import { readFindings } from "../../src/git/review/readFindings.ts";
import { imageLink } from "../../src/images/imageLink.ts";
import { buildMessages, fenceFor } from "../../src/inline/ask/prompt.ts";
import { propose, readAnswer, replacementBy } from "../../src/inline/answer/proposal.ts";
import { showAnswer, showChange } from "../../src/inline/answer/shownAnswer.ts";
import { diffLines } from "../../src/text/diffLines.ts";
import { parseJson } from "../../src/base/json.ts";
import { splitLines } from "../../src/text/lines.ts";
import { escapeMarkdown, quote } from "../../src/text/safeText.ts";
import { shownText } from "../../src/prompts/shownText.ts";
import { hidesText, isStretched, visibleText, withInvisibleMarked } from "../../src/text/hiddenText.ts";
import { bounded, cleaning } from "../../src/base/withoutKeys.ts";
import { assertLinear, processorTime } from "../support/assertLinear.ts";
import { chance, oneOf } from "../support/random.ts";

/** The length of the texts, in characters. */
const size = 50_000;
/** A step that takes longer, in milliseconds, is measured with twice the text, too. */
const quick = 300;
/** What no step takes, in milliseconds, even on a machine with much else to do. */
const longest = 2_000;

/** What a text repeats that is to keep somebody waiting. */
const pieces = [
  ...["``x`", "\\`", "<", "<b ", "![", "!\\[", "[", '[x]: "\n', "> ", "- ", " ", "\t"],
  ...["*", "(", "{\n", "1:", "a/", "aB", ")}", '"', "(/", "/["],
  ...["<code>", "<think>", "<|cursor|>", "Here is the code: "],
  ...["\n", " \n", "\r", "灯\n", "a\n", "灯", "\u200b", "👩‍💻", "\ud800", "-->", "```ts\na\n```\n", "- a\n  ```\n"],
  ...["<<<<<<< SEARCH\n", "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n", "*** Begin Patch\n", "@@ a\n", "+a\n"],
  ...["*** Begin Patch\n*** Add File: a\n+a\n*** End Patch\n", "--- a/a.ts\n+++ b/a.ts\n", "<findings>\n", "a.ts\n"],
];

const shapes: Readonly<Record<string, (size: number) => string>> = {
  ...Object.fromEntries(pieces.map((piece) => [JSON.stringify(piece), (size: number) => repeat(piece, size)])),
  "a word and spaces": (size) => `a${" ".repeat(size)}x`,
  "nested quotes and lists": (size) => numbered(size, (index) => `${"> - ".repeat(index % 400)}a\n`),
  "steps of indentation": (size) => numbered(size, (index) => `${" ".repeat(index % 1_000)}- x\n`),
  "growing fences": (size) => numbered(size, (index) => `${"`".repeat(3 + (index % 900))}\n`),
  "growing runs of backticks": (size) => numbered(size, (index) => `${"`".repeat(1 + (index % 1_900))} `),
  "different lines": (size) => numbered(size, (index) => `${(index * 7_919) % 100_003}\n`),
  "whatever there is": (size) => {
    const random = chance(40);
    return numbered(size, () => oneOf(pieces, random));
  },
};

/** No call takes as many arguments. */
const longer = { "Chinese without a mark": "灯".repeat(3 * size), "line breaks": "\n".repeat(3 * size) };

const about = (lines: readonly string[]) => {
  const target = { start: 0, end: lines.length };
  return { path: "a.ts", lines, target, isCursor: false };
};

const steps: Readonly<Record<string, (text: string) => unknown>> = {
  "an answer that is shown with a closing line": (text) => showAnswer(text, text),
  "an answer that is read": (text) => propose(readAnswer(text, "a.ts"), about(["a"])),
  "a replacement": (text) => propose(replacementBy(splitLines(text)), about(["a", ...splitLines(text).toReversed()])),
  "a change that is shown": (text) => {
    const [before, lines] = [splitLines(text).toReversed(), splitLines(text)];
    return showChange(readAnswer(text, "a.ts"), before, [{ start: 0, end: before.length, before, lines }]);
  },
  "an edit that is indented": (text) => fitIndentation(["  a", ...splitLines(text)], splitLines(text)),
  "lines that are compared": (text) => {
    const lines = splitLines(text);
    diffLines(lines, lines.toReversed());
    diffLines(["a", ...lines, ...different("a")], ["b", ...lines, ...different("b")]);
  },
  "hunks that are found again": (text) => {
    const lines = splitLines(text)
      .slice(0, 15_000)
      .map((line, at) => `${at} ${line}`);
    const twice = [...lines, ...lines].join("\n");
    new Hunks({ before: "x", after: twice }).locate(twice, new Set());
  },
  "code that is quoted": (text) => fenceFor(splitLines(text)),
  "code that is asked about": (text) =>
    buildMessages(
      {
        ...{ path: "a.ts", cell: undefined, languageId: "ts", lines: { start: 1, end: 2 }, scope: "symbol" },
        ...{ outline: [0], selected: undefined, diagnostics: [], canEdit: true, texts: splitLines(text) },
      },
      text,
      [],
      200_000,
    ),
  "a file that is sent": (text) => composeQuestion({ prompt: text }, [{ name: "a", language: "", text }], "en"),
  "a file that is cut": (text) => fitContext([{ name: "a", language: "", text }], 10_000),
  "a file that is looked for": (text) => [namesIn(text), wordsIn(text)],
  "a file of which a part is sent": (text) =>
    excerptsOf("lamp a x", [{ path: "a.ts", text, score: 1, coverage: 1 }], 10_000),
  "lines that were shown": (text) => shownText([{ text, start: 5 }, { text }]),
  "a completion": (text) => cleanCompletion(text, code("const a = ", "\n}\n")),
  "a completion in the same text": (text) => cleanCompletion(text, code(text, text, "typescriptreact")),
  "a completion of text": (text) => cleanCompletion(text, code("a ", "\n", "markdown")),
  "a completion that arrives": (text) => finishedPart(text, code("const a = ", "\n}\n"), "block"),
  "the kind of a completion": (text) => completionKind(code(text, text), false),
  "a commit message": (text) => [readMessage(`<commit-message>${text}`), readMessage(text)],
  "a commit message that was begun": (text) => joinTyped(text, `${text} x`),
  "a commit message that is another": (text) => [joinTyped(`a ${text}`, text), joinTyped(text, `a ${text}`)],
  "the findings of a review": readFindings,
  "a finding": (text) =>
    readFindings(JSON.stringify(Object.fromEntries(fields.map((field) => [field, text.slice(0, 9_000)])))),
  "the lines of findings": (text) => {
    const lines = splitLines(text);
    const hunk = lines.slice(0, 50_000).map((code, index) => ({ number: index + 1, code, text: `${code}z` }));
    const [file, quote] = [{ path: "a.ts", name: "a.ts", hunks: [hunk] }, text.slice(0, 900)];
    const finding = { file: "a.ts", quote, kind: "bug", severity: "high", title: "a", text: "b" } as const;
    const findings = Array.from({ length: 50 }, (_, first) => ({ ...finding, lines: { first, last: 1e6 } }));
    locateFindings(findings, [file], new Map([[file, lines]]));
  },
  "a message that is quoted": (text) => [quote(text), escapeMarkdown(text)],
  "a message without a key of few letters": (text) => bounded(text, cleaning("1:1:1:1:aaaaaaaa1:1:1:1:")),
  "code in which something is not seen": (text) => [hidesText(splitLines(text)), isStretched(text), visibleText(text)],
  "text in which something is not seen": withInvisibleMarked,
  "the prompt of an image": (text) =>
    ["markdown", "html", "vue", "xml", "css", "latex", "restructuredtext", "asciidoc"].map((language) =>
      imageLink(language, text.slice(0, 10_000), text.slice(0, 10_000)),
    ),
  "a tool's result": (text) => parseJson(`[${JSON.stringify(text)}, ${text}`),
};

const fields = ["file", "line", "kind", "severity", "code", "title", "text"];

describe("long untrusted text is processed in linear time", () => {
  for (const [title, step] of Object.entries(steps)) {
    it(`as ${title}`, () => {
      for (const text of Object.values(longer)) step(text);
      for (const [name, shape] of Object.entries(shapes)) {
        const text = shape(size);
        const work = (): unknown => step(text);
        const time = processorTime(work);
        assert.ok(time < longest, `${name}: ${time} ms`);
        if (time > quick) assertLinear((length) => step(shape(length)), size, name);
      }
    }).timeout(120_000);
  }
});

function code(prefix: string, suffix: string, languageId = "typescript") {
  return { prefix, suffix, languageId };
}

function different(start: string): readonly string[] {
  return Array.from({ length: 2_000 }, (_, index) => `${start}${index}`);
}

/** Does not end as it goes on, so that what looks for an end has to go back. */
function repeat(piece: string, size: number): string {
  return `${piece.repeat(Math.floor((size - 1) / piece.length))}x`;
}

/** Text of at least some length. */
function numbered(size: number, make: (index: number) => string): string {
  const made: string[] = [];
  for (let length = 0; length < size; length += made.at(-1)?.length ?? 1) made.push(make(made.length));
  return made.join("");
}
