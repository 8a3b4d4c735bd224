import assert from "node:assert/strict";
import { fitIndentation } from "../../src/edits/place/reindent.ts";
import { each } from "../support/each.ts";
import { outcome } from "../support/edits/outcome.ts";

describe("a patch whose indentation differs from the file", () => {
  const patch = (...rows: readonly string[]): string =>
    ["*** Begin Patch", "*** Update File: a.ts", "@@", ...rows, "*** End Patch"].join("\n");

  it("is refused where a blank before a tab may follow a mark", () => {
    assert.deepEqual(outcome(patch(" a {", "+ \tb();", " }"), { "a.ts": "a {\n}\nc {\n\td();\n}\n" }), ["notFound"]);
  });

  it("keeps the unusual indentation of a file", () => {
    assert.deepEqual(outcome(patch("  two", "+ three"), { "a.ts": " one\n two\n" }), [" one\n two\n three\n"]);
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

describe("an edit of Python lands", () => {
  const replace = (text: string, old: string, line: string): readonly string[] =>
    outcome(`a.py\n<<<<<<< SEARCH\n${old}\n=======\n${line}\n>>>>>>> REPLACE`, { "a.py": text });

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
