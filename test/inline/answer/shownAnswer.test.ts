import assert from "node:assert/strict";
import fc from "fast-check";
import { showAnswer, showChange, type ShownChange } from "../../../src/inline/answer/shownAnswer.ts";
import { type EditSubject, propose, readAnswer } from "../../../src/inline/answer/proposal.ts";
import { each } from "../../support/each.ts";
import { render } from "../../support/render.ts";

const answerMarkdown = (answer: string): string => showAnswer(answer).markdown;

describe("an answer as it is shown", () => {
  const edit = "```ts replace\nevil();\n```";
  each([
    ["hides no code in a comment", `<!--\n${edit}\n-->`, true],
    ["hides no code in an attribute", `<b title="\n${edit}\n">`, true],
    ["hides no code in the title of a link", `[x]: /u "a\n\n${edit}\n"`, true],
    ["hides no code behind lists whose quotes end early", `${"> - a\n![x](y)\n".repeat(20)}\n${edit}`, true],
    ["hides no code in a quote", `> ${edit.replaceAll("\n", "\n> ")}`, true],
    ["hides no code in an item of a list further in", `10. a\n\n    ${edit.replaceAll("\n", "\n    ")}`, true],
  ]).gives((answer) => {
    const { blocks, unseen } = render(answerMarkdown(answer));
    assert.deepEqual(unseen, []);
    assert.match(answerMarkdown(answer), /evil\(\);/);
    const { hunks } = propose(readAnswer(answer, "a.ts"), subjectOf(["code"]));
    return blocks.includes("evil();") || hunks.length === 0;
  });

  it("shows images as text, because fetching one tells somebody what the answer knows", () => {
    assert.equal(answerMarkdown("![x](https://a.example/?q=secret)"), "!&#91;x](https://a.example/?q=secret)");
    for (const image of [
      '<img src="https://a.example">',
      "![x][y]\n\n[y]: https://a.example",
      "[[!\\[x](h)![x](h)",
      "~~w\n`![x](h)~~`",
    ])
      assert.deepEqual(render(answerMarkdown(image)).unseen, []);
  });

  it("shows definitions of links in tasks, and those that an image begins", () => {
    for (const text of ['- [ ] [n]: u "evil"', '[a![b]: u "evil"'])
      assert.match(answerMarkdown(text), /&#91;(?:n|a!&#91;b)\]: u "evil"/);
  });

  it("ends with a line that VS Code renders as a whole, also where another line follows", () => {
    for (const line of ["a".repeat(99), "<b>".repeat(30), "\u200b".repeat(9), ""]) {
      for (const closing of ["", "Cut off."]) {
        const [one, most] = [showAnswer(line).markdown, showAnswer(`${line}\n`.repeat(150_000), closing)];
        assert.ok(most.markdown.length <= 100_000);
        assert.ok(most.markdown.length + one.length + 1 > 100_000 - 10);
        assert.equal(most.text.split("\n").length, most.end);
        assert.ok(most.markdown.endsWith(closing === "" ? "\n\n…" : "\n\n…\n\n*Cut off\\.*"));
      }
    }
  });

  it("is copied as it is shown, without escapes and without what a fence says beside its language", () => {
    assert.equal(showAnswer("a <b>\n\n```ts x y\nb\u200b\n```").text, "a <b>\n\n```ts\nb⟨U+200B⟩\n```");
    assert.equal(showAnswer("~~~md\n```\n~~~").text, "````md\n```\n````");
  });

  const usual =
    "# Why\n\n**Because** `a < b`, see [docs](https://a.example) and:\n\n- [ ] one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> said";
  each([
    ["leaves code as it looks", "```md\na ! [b]\n![x](y) <b> &lt; \\\n```", true],
    ["leaves usual Markdown as it is", usual, true],
    ["leaves emoji and joined letters alone", "👩‍💻 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 می‌خواهم", true],
    ["leaves wide tables alone", `| a${" ".repeat(200)} | b |\n|---|---|\n| 1 | 2 |`, true],
  ]).gives((text) => answerMarkdown(text) === text);

  it("shows the cells of a table beyond its last column", () => {
    const table = ["| Name | Type |", "|---|---|"];
    const rows = ["| a | `string | number` | x |", "| b | c \\| d | |"];
    const shown = answerMarkdown([...table, ...rows].join("\n"));
    assert.equal(shown, [...table, "| a | `string \\| number` \\| x |", "| b | c \\| d \\| |"].join("\n"));
  });

  it("marks what nobody sees, in code too", () => {
    assert.equal(answerMarkdown("```\na\u202eb\u{e0041}\n```"), "```\na⟨U+202E⟩b⟨U+E0041⟩\n```");
  });

  it("marks blanks that push code out of view, in all that may be code", () => {
    const far = " ".repeat(200);
    assert.equal(answerMarkdown(`\`\`\`\na;${far}b\n\`\`\``), "```\na;⟨U+0020 × 200⟩b\n```");
    for (const line of [`    a;${far}b`, `${far}b`, `> ${far}b`, `- ${far}b`, `>     a;${far}b`, `\ta;${far}b`]) {
      const { blocks } = render(answerMarkdown(line));
      assert.deepEqual([blocks.length, /^(?:a;)? *⟨U\+0020 × 20\d⟩b$/.test(blocks[0] ?? "")], [1, true], line);
    }
  });

  it("shows SEARCH/REPLACE blocks as diffs, however far they have arrived", () => {
    const answer = "a.ts\n```ts\n<<<<<<< SEARCH\nold\n=======\nnew\n=======\n>>>>>>> REPLACE\nrest\n```";
    const diff = "a.ts\n\n```diff\n-old\n+new\n+=======\n rest\n```";
    assert.equal(answerMarkdown(answer), diff);
    assert.equal(answerMarkdown(answer.slice(0, answer.indexOf("\nnew"))), "a.ts\n\n```diff\n-old\n```");
    const replacement = "```ts replace\n<<<<<<< SEARCH\n```";
    assert.equal(answerMarkdown(replacement), replacement.replace(" replace", ""));
  });

  it("says outside of an open block that it was cut off", () => {
    const closed = (answer: string, line: string): string => showAnswer(answer, line).markdown;
    assert.equal(closed("So:\n```ts\nlet a", "Cut [off]."), "So:\n\n```ts\nlet a\n```\n\n*Cut \\[off\\]\\.*");
    assert.equal(closed("So", "Cut."), "So\n\n*Cut\\.*");
  });

  const pieces = [
    "`¦``¦```¦````¦~~~¦~~¦```ts replace\n¦```ts replace\nevil\n```\n¦\n```\n¦- ¦1. ¦10. ¦2) ¦* ¦> ¦>¦    ¦  ¦   ¦ ¦\t",
    '<!--¦-->¦<div hidden>¦</div>¦<details>\n¦<b title="¦">¦<script>¦</script>¦<?¦?>¦<![CDATA[¦]]>¦<style>¦<x>',
    '[x]: ¦[x]:¦[¦]¦: ¦<¦>¦"¦(¦)¦(/u¦!¦![x](h)¦https://x.example¦[a](b `c` "¦\\¦\\\n¦a¦b ¦\n¦\n\n¦\r\n¦\r',
    `${" ".repeat(40)}¦*¦**¦_¦&lt;¦&#96;¦\u200b¦\u202e¦\u2028¦\f¦   \`\`\`\n¦     \`\`\`js\n¦      \`\`\`\n¦   - `,
    "# ¦---\n¦=¦|¦| a |\n|---|\n¦<<<<<<< SEARCH\n¦=======\n¦>>>>>>> REPLACE\n",
  ].flatMap((line) => line.split("¦"));
  const answers = fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join(""));
  // VS Code's renderer makes four blanks of a tab at the start of a line.
  const asShown = (lines: readonly string[]): string =>
    lines.join("\n").replace(/^( *)(\t+)/gm, (_, blanks: string, tabs: string) => blanks + "    ".repeat(tabs.length));

  it("hides nothing, and shows as code all code that can be taken, whatever it is made of", () => {
    fc.assert(
      fc.property(answers, (answer) => {
        const { blocks, unseen } = render(answerMarkdown(answer));
        assert.deepEqual(unseen, []);
        const reading = readAnswer(answer, "a.ts");
        const { hunks, misfits } = propose(reading, subjectOf(["code"]));
        const isTaken = hunks.length > 0 ? reading.hasReplacement : misfits.length === 0;
        if (isTaken && reading.code) assert.ok(blocks.includes(asShown(reading.code)));
      }),
      { numRuns: 6_000, seed: 11, interruptAfterTimeLimit: 5_000 },
    );
  });
});

const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1};`);
const search = (old: string, text: string): string => `<<<<<<< SEARCH\n${old}\n=======\n${text}\n>>>>>>> REPLACE`;

describe("a change as its thread shows it", () => {
  it("is a diff in place of the edits, with unchanged lines folded and all text around it", () => {
    const blocks = [search("line 5;", "five;\nmore;"), search("line 20;\nline 21;", "line 21;")];
    const [first, second] = blocks.map((block) => `src/a.ts\n\`\`\`ts\n${block}\n\`\`\``);
    const { markdown, isWhole } = show(`Two:\n\n${first}\n\nBetween.\n\n${second}\n\nThat is all.`);
    const diff = [
      ...["@@ -3,5 +3,6 @@", " line 3;", " line 4;", "-line 5;", "+five;", "+more;", " line 6;", " line 7;"],
      ...["@@ -18,5 +19,4 @@", " line 18;", " line 19;", "-line 20;", " line 21;", " line 22;"],
    ];
    const text = "Two:\n\n**+2 −2**\n\n```diff\n{0}\n```\n\nBetween.\n\n\nThat is all.";
    assert.equal(markdown, text.replace("{0}", diff.join("\n")));
    assert.ok(isWhole);
  });

  each<[string, readonly string[]], RegExp>([
    [
      "has no header where there is only one place",
      search("line 5;", "five;"),
      lines,
      /`{3}diff\n line 3;\n line 4;\n-line 5;\n\+five;\n line 6;\n line 7;\n`{3}$/,
    ],
    [
      "has no blank lines at its ends",
      search("c", "d"),
      ["a", "", "b", "", "c", "e", "", "f"],
      /diff\n b\n \n-c\n\+d\n e\n`{3}$/,
    ],
    [
      "has the same indentation in changed and unchanged lines, also where they have tabs",
      search("\t\tb", "\t\tc\td"),
      ["a", "\tif", "\t\tb", "\tend"],
      /diff\n a\n {5}if\n- {8}b\n\+ {8}c\td\n {5}end\n/,
    ],
    ["marks tabs where only they change", search("\tb", "    b"), ["\ta", "\tb"], /diff\n {5}a\n-→ {3}b\n\+ {4}b\n/],
  ]).hold((answer, texts, diff) => {
    assert.match(show(answer, texts).markdown, diff);
  });

  it("has a fence that nothing in the code ends, and marks for what nobody sees", () => {
    const code = lines.with(3, "```\u200b");
    const { markdown } = show(`~~~~~\n${search("line 5;", "````")}\n~~~~~`, code);
    assert.match(markdown, /`{3}diff\n[^]* ```⟨U\+200B⟩\n-line 5;\n\+````\n/);
    assert.equal(render(markdown).blocks.length, 1);
  });

  it("shows every line that is replaced and every new one, and nothing else as such", () => {
    const line = fc.constantFrom("a", "b", "", "  c", "-d", "+e", "@@ f", "```", "# g");
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 25 }), fc.array(line, { maxLength: 25 }), (old, added) => {
        const answer = ["~~~~~ts replace", ...added, "~~~~~"].join("\n");
        const edit = propose(readAnswer(answer, "src/a.ts"), subjectOf(old, { start: 0, end: old.length }));
        if (edit.hunks.length === 0) return;
        const { markdown, isWhole } = showChange({ text: "", ranges: [] }, old, edit.hunks);
        assert.ok(isWhole);
        const shown = markdown.slice(markdown.indexOf("diff\n") + 5, markdown.lastIndexOf("\n`")).split("\n");
        const rows = (sign: string): readonly string[] =>
          shown.filter((row) => row.startsWith(sign)).map((row) => row.slice(1));
        const { hunks } = edit;
        const [gone, now] = [hunks.flatMap((hunk) => hunk.before), hunks.flatMap((hunk) => hunk.lines)];
        assert.deepEqual([rows("-"), rows("+")], [gone, now]);
      }),
    );
  });
});

function subjectOf(texts: readonly string[], target = { start: 0, end: 1 }): EditSubject {
  return { path: "src/a.ts", lines: texts, target, isCursor: false };
}

function show(answer: string, texts: readonly string[] = lines): ShownChange {
  const subject = subjectOf(texts);
  const reading = readAnswer(answer, subject.path);
  const edit = propose(reading, subject);
  assert.ok(edit.hunks.length > 0, JSON.stringify(edit));
  return showChange(reading, texts, edit.hunks);
}
