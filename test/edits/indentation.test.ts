import assert from "node:assert/strict";
import { fitLines } from "../../src/edits/fitLines.ts";
import { indentRule } from "../../src/edits/indentation.ts";

describe("the indentation of new lines", () => {
  type Pairs = readonly (readonly [answer: string, file: string])[];
  const cases: readonly (readonly [string, Pairs, string, string | undefined])[] = [
    ["stays where it is right", [["  ", "  "]], "      ", "      "],
    ["is shifted to the right", [["", "    "]], "  ", "      "],
    [
      "is shifted to the left",
      [
        ["    ", ""],
        ["      ", "  "],
      ],
      "        ",
      "    ",
    ],
    ["is not shifted beyond the margin", [["    ", ""]], "  ", undefined],
    ["becomes tabs", [["    ", "\t"]], "        ", "\t\t"],
    [
      "becomes tabs, with blanks that align",
      [
        ["  ", "\t"],
        ["    ", "\t\t"],
      ],
      "     ",
      "\t\t ",
    ],
    ["becomes spaces", [["\t", "  "]], "\t\t", "    "],
    [
      "becomes wider",
      [
        ["  ", "    "],
        ["    ", "        "],
      ],
      "      ",
      "            ",
    ],
    [
      "is known only where lines tell",
      [
        ["", "  "],
        ["  ", "  "],
      ],
      "    ",
      undefined,
    ],
    [
      "is unknown where lines disagree",
      [
        ["", "  "],
        ["", "    "],
      ],
      "",
      undefined,
    ],
  ];
  for (const [title, pairs, indent, expected] of cases) {
    it(title, () => {
      const rule = indentRule(
        pairs.map(([answer, file]) => ({ answer, file })),
        [`${indent}x`],
      );
      assert.equal(rule.translate(indent), expected);
    });
  }
});

describe("a whole replacement", () => {
  const code = ["  if (a) {", "    b();", "  }"];
  const cases: readonly (readonly [string, readonly string[], readonly string[], readonly string[] | undefined])[] = [
    ["stays as it is", code, ["  if (c) {", "    b();", "  }"], ["  if (c) {", "    b();", "  }"]],
    ["gets the indentation it lost", code, ["if (c) {", "  b();", "}"], ["  if (c) {", "    b();", "  }"]],
    [
      "loses indentation it has too much",
      code,
      ["    if (c) {", "      b();", "    }"],
      ["  if (c) {", "    b();", "  }"],
    ],
    [
      "gets the indentation it lost where that could be another width",
      ["    b();", "    c();", "  }"],
      ["  b();", "  d();", "}"],
      ["    b();", "    d();", "  }"],
    ],
    ["gets spaces for tabs", code, ["\tif (c) {", "\t\tb();", "\t}"], ["  if (c) {", "    b();", "  }"]],
    [
      "gets tabs for spaces",
      ["a {", "\tb();", "}"],
      ["a {", "  c();", "  b();", "}"],
      ["a {", "\tc();", "\tb();", "}"],
    ],
    ["keeps what moves into a block", ["b();"], ["if (a) {", "  b();", "}"], undefined],
    ["keeps the white space at the ends of lines", ["a  ", "b"], ["a", "c"], ["a  ", "c"]],
  ];
  for (const [title, old, lines, expected] of cases) {
    it(title, () => {
      assert.deepEqual(fitLines(old, lines), expected);
    });
  }
});
