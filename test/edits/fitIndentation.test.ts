import assert from "node:assert/strict";
import { fitIndentation } from "../../src/edits/place/fit.ts";
import { each } from "../support/each.ts";

describe("the indentation of a replacement", () => {
  each<[code: readonly string[], lines: readonly string[]], readonly string[]>([
    ["stays when it is there", ["  a {", "  }"], ["  b {", "    c", "  }"], ["  b {", "    c", "  }"]],
    ["comes back when all of it was lost", ["    a {", "    }"], ["b {", "  c", "}"], ["    b {", "      c", "    }"]],
    ["comes back on the first line alone", ["  a {", "  }"], ["b {", "    c", "  }"], ["  b {", "    c", "  }"]],
    ["comes back on a block without braces", ["  if a:", "    b"], ["if c:", "  d"], ["  if c:", "    d"]],
    ["comes back in tabs", ["\t\ta", "\t\tb"], ["c {", "\td", "}"], ["\t\tc {", "\t\t\td", "\t\t}"]],
    [
      "becomes tabs where the code has tabs",
      ["\ta {", "\t\tb"],
      ["    a {", "        c", "    }"],
      ["\ta {", "\t\tc", "\t}"],
    ],
    ["becomes spaces where the code has spaces", ["  a {", "    b"], ["\ta {", "\t\tc"], ["  a {", "    c"]],
    ["is that of a blank line", ["    "], ["a", "", "b"], ["    a", "", "    b"]],
    ["leaves lines at the margin that belong there", ["  a", "  b"], ["  a", "#if X", "  b"], ["  a", "#if X", "  b"]],
    ["leaves code at the margin alone", ["a {", "  b"], ["  c"], ["  c"]],
  ]).gives(fitIndentation);

  it("is that of the code in more lines than a function takes arguments", () => {
    const many = Array.from({ length: 300_000 }, (_, index) => (index % 2 === 0 ? "a {" : "    b"));
    assert.equal(fitIndentation(["\ta {", "\t}"], many)[1], "\t\tb");
    assert.equal(fitIndentation(many, ["\ta"])[0], "    a");
    assert.equal(fitIndentation(Array<string>(300_000).fill("  "), ["a"])[0], "  a");
  });
});
