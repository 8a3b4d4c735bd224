import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { each } from "../support/each.ts";
import { outcome } from "../support/edits/outcome.ts";

const text = "class A {\n  run() {\n    if (this.on) {\n      go();\n    }\n    stop();\n  }\n}\n";
const searchReplace = (old: string, lines: string): string =>
  `a.ts\n<<<<<<< SEARCH\n${old}\n=======\n${lines}\n>>>>>>> REPLACE`;
const patch = (...rows: readonly string[]): string =>
  ["*** Begin Patch", "*** Update File: a.ts", "@@", ...rows, "*** End Patch"].join("\n");

describe("the indentation of a hunk, some of whose lines have another one than the file", () => {
  const went = text.replace("go();", "go(1);");
  const looped = text.replace("    stop();", "    for (const x of y) {\n      stop();\n    }");
  const cases: Readonly<Record<string, readonly [answer: string, expected: string]>> = {
    "where the old lines are shifted, but not the new ones": [
      searchReplace("if (this.on) {\n  go();\n}\nstop();", "    if (this.on) {\n      go(1);\n    }\n    stop();"),
      went,
    ],
    "where both are shifted, and all lines move into a block": [
      searchReplace("stop();", "for (const x of y) {\n  stop();\n}"),
      looped,
    ],
    "where the text was trimmed": [
      searchReplace(
        "if (this.on) {\n      go();\n    }\n    stop();",
        "if (this.on) {\n      go(1);\n    }\n    stop();",
      ),
      went,
    ],
    "where a blank follows the marks of removed and added lines": [
      patch("     if (this.on) {", "-       go();", "+       if (x)", "+         go();", "     }"),
      text.replace("      go();", "      if (x)\n        go();"),
    ],
    "where only the blank that marks context is missing": [
      patch("    stop();", "+    end();", "  }"),
      text.replace("stop();", "stop();\n    end();"),
    ],
    "but not for lines of a comment": [
      patch("   run() {", "+    /*", "+     * Runs.", "+     */"),
      text.replace("run() {", "run() {\n    /*\n     * Runs.\n     */"),
    ],
  };
  for (const [title, [answer, expected]] of Object.entries(cases)) {
    it(`is that of the file ${title}`, () => {
      assert.deepEqual(outcome(answer, { "a.ts": text }), [expected]);
    });
  }

  const torn = "if (this.on) {\n  go();\n}\nstop();";
  describe("is not guessed where", () => {
    each([
      ["a blank may follow a mark", patch("     stop();", "+     end();", "   }"), ["notFound"]],
      ["a blank may be part of the indentation", patch("   run() {", "+     start();"), ["notFound"]],
      ["a blank may be missing", patch("    stop();", "+   end();", "  }"), ["notFound"]],
      [
        "two sides contradict each other",
        searchReplace(torn, "    if (this.on) {\n    go(1);\n  }\n  stop();"),
        ["notFound"],
      ],
      ["two sides lost it", searchReplace("stop();\n  }\n}", "end();\n  }\n}\nexport {};"), ["notFound"]],
      [
        "brackets stand between other blank lines",
        searchReplace("    }\n\n  }", "    }\n\n  }\n  end();"),
        ["notFound"],
      ],
    ]).gives((answer: string) => outcome(answer, { "a.ts": text }));
  });

  it("stays odd in a file that has odd ones", () => {
    const odd = " one\n two\n";
    assert.deepEqual(outcome(patch("  two", "+ three"), { "a.ts": odd }), [`${odd} three\n`]);
  });
});
