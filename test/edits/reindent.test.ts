import assert from "node:assert/strict";
import { fitIndentation } from "../../src/edits/place/reindent.ts";
import { each } from "../support/each.ts";
import { outcome } from "../support/edits/outcome.ts";

const text = "class A {\n  run() {\n    if (this.on) {\n      go();\n    }\n    stop();\n  }\n}\n";
const searchReplace = (old: string, lines: string): string =>
  `a.ts\n<<<<<<< SEARCH\n${old}\n=======\n${lines}\n>>>>>>> REPLACE`;
const patch = (...rows: readonly string[]): string =>
  ["*** Begin Patch", "*** Update File: a.ts", "@@", ...rows, "*** End Patch"].join("\n");

describe("a hunk whose indentation differs from the file", () => {
  const went = text.replace("go();", "go(1);");
  const looped = text.replace("    stop();", "    for (const x of y) {\n      stop();\n    }");
  const torn = "if (this.on) {\n  go();\n}\nstop();";
  const right = "    if (this.on) {\n      go(1);\n    }\n    stop();";
  const moved = searchReplace("stop();", "for (const x of y) {\n  stop();\n}");
  each([
    ["is that of the file where the old lines are shifted, but not the new ones", searchReplace(torn, right), went],
    ["is that of the file where both are shifted, and all lines move into a block", moved, looped],
    [
      "is that of the file where a blank follows the marks of removed and added lines",
      patch("     if (this.on) {", "-       go();", "+       if (x)", "+         go();", "     }"),
      text.replace("      go();", "      if (x)\n        go();"),
    ],
    [
      "is that of the file but not for lines of a comment",
      patch("   run() {", "+    /*", "+     * Runs.", "+     */"),
      text.replace("run() {", "run() {\n    /*\n     * Runs.\n     */"),
    ],
  ]).hold((answer, expected) => {
    assert.deepEqual(outcome(answer, { "a.ts": text }), [expected]);
  });

  describe("is refused where", () => {
    each([
      ["a blank may follow a mark", patch("     stop();", "+     end();", "   }"), ["notFound"]],
      ["a blank may be part of the indentation", patch("   run() {", "+     start();"), ["notFound"]],
      [
        "only removed lines may have lost it, or new ones may be deeper",
        patch("     if (this.on) {", "-go();", "+      went();", "     }"),
        ["notFound"],
      ],
      ["steps are other ones", searchReplace("if (this.on) {\n    go();", "if (this.off) {\n    go();"), ["notFound"]],
      ["brackets have blank lines", searchReplace("    }\n\n  }", "    }\n\n  }\n  end();"), ["notFound"]],
    ]).gives((answer: string) => outcome(answer, { "a.ts": text }));
  });

  it("is refused where a blank before a tab may follow a mark", () => {
    assert.deepEqual(outcome(patch(" a {", "+ \tb();", " }"), { "a.ts": "a {\n}\nc {\n\td();\n}\n" }), ["notFound"]);
  });

  it("keeps the unusual indentation of a file", () => {
    const odd = " one\n two\n";
    assert.deepEqual(outcome(patch("  two", "+ three"), { "a.ts": odd }), [`${odd} three\n`]);
  });
});

describe("the indentation of a replacement", () => {
  each<[code: readonly string[], lines: readonly string[]], readonly string[]>([
    ["comes back when all of it was lost", ["    a {", "    }"], ["b {", "  c", "}"], ["    b {", "      c", "    }"]],
    ["comes back on a block without braces", ["  if a:", "    b"], ["if c:", "  d"], ["  if c:", "    d"]],
    ["keeps its kind of steps", ["\ta {", "\t\tb"], ["a {", "    c", "}"], ["\ta {", "\t    c", "\t}"]],
    ["is that of a blank line", ["    "], ["a", "", "b"], ["    a", "", "    b"]],
    ["leaves lines at the margin that belong there", ["  a", "  b"], ["  a", "#if X", "  b"], ["  a", "#if X", "  b"]],
  ]).gives(fitIndentation);

  it("is added to more lines than a function takes arguments", () => {
    const many = Array.from({ length: 300_000 }, (_, index) => (index % 2 === 0 ? "a {" : "    b"));
    assert.equal(fitIndentation(["\ta {", "\t}"], many)[1], "\t    b");
    assert.equal(fitIndentation(Array<string>(300_000).fill("  "), ["a"])[0], "  a");
  });
});

describe("Python without its base indentation", () => {
  const python = "def f(x):\n    a()\n    b()\n    return x\n";
  const asked = { path: "a.py", start: 1, end: 3 };
  const wrapped = "if x:\n    a()\n    b()";
  const shifted = "def f(x):\n    if x:\n        a()\n        b()\n    return x\n";
  each([
    ["is shifted as one piece", searchReplace("a()\nb()", wrapped).replace("a.ts", "a.py"), shifted],
    [
      "is shifted as one piece where a line beside it stays",
      "```py replace\nif x:\n    a()\nb()\n```",
      shifted.replace("        b()", "    b()"),
    ],
    [
      "is shifted as one piece below old lines that have it",
      searchReplace("    a()\n    b()", "a()\nif x:\n    c()\nb()").replace("a.ts", "a.py"),
      "def f(x):\n    a()\n    if x:\n        c()\n    b()\n    return x\n",
    ],
    ["is refused where another one has no proof", "```py replace\n  c()\n```", "malformed"],
    ["is refused where that is all that changes", "```py replace\na()\nb()\n```", "malformed"],
    [
      "stays where only the removed lines of a patch have lost it",
      patch("-a()", "-b()", "+    a()", "+    c(b)").replace("a.ts", "a.py"),
      "def f(x):\n    a()\n    c(b)\n    return x\n",
    ],
    // The lines of the body stand where they stood, so the first line may have lost its indentation alone.
    [
      "is refused where all of it but its first line stands in place",
      `\`\`\`py replace\n${wrapped}\n\`\`\``,
      "malformed",
    ],
  ]).hold((answer, expected) => {
    assert.deepEqual(outcome(answer, { "a.py": python }, asked), [expected]);
  });
});

describe("an edit of Python lands", () => {
  const replace = (text: string, old: string, line: string): readonly string[] =>
    outcome(searchReplace(old, line).replace("a.ts", "a.py"), { "a.py": text });

  each([
    ["below a condition of several lines", "if a and \\\n        b:", "    "],
    ["below a comment that ends with a colon", "x = 1  # note:", ""],
    ["below a text with a color", "x = 'color:#fff'", ""],
  ]).hold((head, indent) => {
    const text = `${head}\n${indent}run()\n`;
    assert.deepEqual(replace(text, `${indent}run()`, `${indent}go()`), [text.replace("run", "go")]);
    assert.deepEqual(
      replace(text, `${indent}run()`, ` ${indent}go()`),
      indent === "" ? ["malformed"] : [text.replace("run", " go")],
    );
  });

  it("in brackets, below an empty comment", () => {
    const text = "x = [\n    #\n    1,\n]\n";
    assert.deepEqual(replace(text, "    1,", "    2,"), [text.replace("1", "2")]);
  });
});
