import assert from "node:assert/strict";
import fc from "fast-check";
import { type EditSubject, propose } from "../../src/inline/proposal.ts";
import { showChange, type ShownChange } from "../../src/inline/shownChange.ts";
import { render } from "../support/render.ts";

const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1};`);
const search = (old: string, text: string): string => `<<<<<<< SEARCH\n${old}\n=======\n${text}\n>>>>>>> REPLACE`;

describe("a change as its thread shows it", () => {
  it("is a diff in place of the edits, with unchanged lines folded", () => {
    const answer = `Two:\n\nsrc/a.ts\n\`\`\`ts\n${search("line 5;", "five;\nmore;")}\n\`\`\`\n\nsrc/a.ts\n\`\`\`ts\n${search("line 20;\nline 21;", "line 21;")}\n\`\`\`\n\nThat is all.`;
    const { markdown, size, isWhole } = show(answer);
    assert.equal(
      markdown,
      [
        ...["Two:", "", "**+2 −2**", "", "```diff", "@@ -3,5 +3,6 @@", " line 3;", " line 4;", "-line 5;", "+five;"],
        ...["+more;", " line 6;", " line 7;", "@@ -18,5 +19,4 @@", " line 18;", " line 19;", "-line 20;", " line 21;"],
        ...[" line 22;", "```", "", "That is all."],
      ].join("\n"),
    );
    assert.equal(size, "+2 −2");
    assert.ok(isWhole);
  });

  it("has no header where there is only one place", () => {
    const { markdown } = show(search("line 5;", "five;"));
    assert.match(markdown, /`{3}diff\n line 3;\n line 4;\n-line 5;\n\+five;\n line 6;\n line 7;\n`{3}$/);
  });

  it("has no blank lines at its ends", () => {
    const { markdown } = show(search("c", "d"), ["a", "", "b", "", "c", "e", "", "f"]);
    assert.match(markdown, /diff\n b\n \n-c\n\+d\n e\n`{3}$/);
    assert.match(show(search("c", "d"), ["a", "", "", "c", "", ""]).markdown, /diff\n-c\n\+d\n`{3}$/);
  });

  it("has the same indentation in changed and unchanged lines, also where they have tabs", () => {
    const { markdown } = show(search("\t\tb", "\t\tc\td"), ["a", "\tif", "\t\tb", "\tend"]);
    assert.match(markdown, /diff\n a\n {5}if\n- {8}b\n\+ {8}c\td\n {5}end\n/);
  });

  it("marks tabs where nothing else has changed", () => {
    const { markdown } = show(search("\tb", "    b"), ["\ta", "\tb"]);
    assert.match(markdown, /diff\n {5}a\n-→ {3}b\n\+ {4}b\n/);
  });

  it("has all text around patches outside of blocks", () => {
    const { markdown } = show(
      `Before.\n\n${search("line 5;", "five;")}\n\nBetween.\n\n${search("line 6;", "six;")}\n\nAfter.`,
    );
    assert.match(
      markdown,
      /^Before\.\n\n\*\*\+2 −2\*\*[^]*-line 5;\n-line 6;\n\+five;\n\+six;[^]*```\n\nBetween\.\n+After\.$/,
    );
    assert.doesNotMatch(markdown, /SEARCH/);
  });

  it("has a fence that nothing in the code ends, and marks for what nobody sees", () => {
    const code = lines.with(3, "```\u200b");
    const { markdown } = show(search("line 5;", "````"), code);
    assert.match(markdown, /`{3}diff\n[^]* ```⟨U\+200B⟩\n-line 5;\n\+````\n/);
    assert.equal(render(markdown).blocks.length, 1);
  });

  it("is not whole where VS Code does not show it that far", () => {
    const long = lines.with(4, "x".repeat(120_000));
    const { isWhole } = show("```ts replace\na\n```", long, { start: 4, end: 5 });
    assert.equal(isWhole, false);
  });

  it("shows every line that is replaced and every new one, and nothing else as such", () => {
    const line = fc.constantFrom("a", "b", "", "  c", "-d", "+e", "@@ f", "```", "# g");
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 25 }), fc.array(line, { maxLength: 25 }), (old, added) => {
        const asked = { start: 0, end: old.length };
        const edit = propose(["~~~~~ts replace", ...added, "~~~~~"].join("\n"), subjectOf(old, asked));
        if (edit.type !== "change") return;
        const { markdown, isWhole } = showChange("", [], subjectOf(old, asked), edit.hunks);
        assert.ok(isWhole);
        const shown = markdown.slice(markdown.indexOf("diff\n") + 5, markdown.lastIndexOf("\n`")).split("\n");
        const rows = (sign: string): readonly string[] =>
          shown.filter((row) => row.startsWith(sign)).map((row) => row.slice(1));
        assert.deepEqual(
          rows("-"),
          edit.hunks.flatMap(({ before }) => before),
        );
        assert.deepEqual(
          rows("+"),
          edit.hunks.flatMap((hunk) => hunk.lines),
        );
      }),
    );
  });
});

function subjectOf(texts: readonly string[], asked = { start: 0, end: 1 }): EditSubject {
  return { path: "src/a.ts", lines: texts, asked, isCursor: false };
}

function show(answer: string, texts: readonly string[] = lines, asked?: EditSubject["asked"]): ShownChange {
  const subject = subjectOf(texts, asked);
  const edit = propose(answer, subject);
  assert.ok(edit.type === "change", JSON.stringify(edit));
  return showChange(answer, edit.ranges, subject, edit.hunks);
}
