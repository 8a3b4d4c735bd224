import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { resolveEdits } from "../../src/edits/resolveEdits.ts";

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
      const { changes, problems } = resolveEdits(answer, new Map([["a.ts", text]]));
      assert.deepEqual([changes[0]?.text, problems], [expected, []]);
    });
  }

  it("is not guessed where a blank may follow the marks, or be part of the indentation", () => {
    for (const rows of [
      ["     stop();", "+     end();", "   }"],
      ["   run() {", "+     start();"],
      ["    stop();", "+   end();", "  }"],
    ]) {
      const { changes, problems } = resolveEdits(patch(...rows), new Map([["a.ts", text]]));
      assert.deepEqual([changes, problems.map(({ kind }) => kind)], [[], ["notFound"]]);
    }
  });

  it("is not guessed where the two sides of a block contradict each other", () => {
    for (const answer of [
      searchReplace("if (this.on) {\n  go();\n}\nstop();", "    if (this.on) {\n    go(1);\n  }\n  stop();"),
      searchReplace("stop();\n  }\n}", "end();\n  }\n}\nexport {};"),
    ]) {
      const { changes, problems } = resolveEdits(answer, new Map([["a.ts", text]]));
      assert.deepEqual([changes, problems.map(({ kind }) => kind)], [[], ["notFound"]]);
    }
  });

  it("does not tell the place of brackets between other blank lines", () => {
    const answer = searchReplace("    }\n\n  }", "    }\n\n  }\n  end();");
    const { changes, problems } = resolveEdits(answer, new Map([["a.ts", text]]));
    assert.deepEqual([changes, problems.map(({ kind }) => kind)], [[], ["notFound"]]);
  });

  it("stays odd in a file that has odd ones", () => {
    const odd = " one\n two\n";
    const { changes } = resolveEdits(patch("  two", "+ three"), new Map([["a.ts", odd]]));
    assert.equal(changes[0]?.text, `${odd} three\n`);
  });
});
