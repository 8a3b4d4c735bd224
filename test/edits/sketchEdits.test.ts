import assert from "node:assert/strict";
import fc from "fast-check";
import { readOperations } from "../../src/edits/readOperations.ts";
import { type Sketch, sketchEdits } from "../../src/edits/sketchEdits.ts";
import { withHunks } from "../../src/inline/proposal.ts";
import { assertLinear } from "../support/assertLinear.ts";

const path = "src/a.ts";
const lines = [
  "import a;",
  "",
  "function one() {",
  "  const a = 1;",
  "  const b = 2;",
  "  return a + b;",
  "}",
  "",
  "function two() {",
  "  return 2;",
  "}",
];
const search = (old: string, text: string): string => `<<<<<<< SEARCH\n${old}\n=======\n${text}\n>>>>>>> REPLACE`;

describe("edits that are not applied", () => {
  const cases: Readonly<Record<string, readonly [answer: string, expected: readonly string[]]>> = {
    "where old lines are remembered wrongly, which stay as they are": [
      search("function one() {\n  const a = 0;\n  const b = 2;", "function one() {\n  const a = 0;\n  const b = 20;"),
      lines.with(4, "  const b = 20;"),
    ],
    "where the line that changes is remembered wrongly": [
      search("  const a = 1;\n  const b = 0;\n  return a + b;", "  const a = 1;\n  const b = 20;\n  return a + b;"),
      lines.with(4, "  const b = 20;"),
    ],
    "where no old line is in the file, but one like it": [
      search("  const b = 2; // two", "  const b = 20;"),
      lines.with(4, "  const b = 20;"),
    ],
    "where an old line is left out": [
      search("function one() {\n  const b = 2;\n  return a + b;", "function one() {\n  const b = 2;\n  return a * b;"),
      lines.with(5, "  return a * b;"),
    ],
    "where an old line is made up": [
      search("  const b = 2;\n  log(b);\n  return a + b;", "  const b = 2;\n  log(b);\n  return a * b;"),
      lines.with(5, "  return a * b;"),
    ],
    "where lines are inserted beside one that is remembered wrongly": [
      search("function two() {\n  return 3;", "function two() {\n  log();\n  return 3;"),
      lines.toSpliced(9, 0, "  log();"),
    ],
    "where an ellipsis stands for old lines": [
      search("function one() {\n  ...\n  return a + b;", "function one() {\n  ...\n  return a * b;"),
      lines.with(5, "  return a * b;"),
    ],
    "with the indentation of the file": [
      search("const a = 0;\nconst b = 2;\nreturn a + b;", "const a = 0;\nconst b = 2;\nreturn a * b;"),
      lines.with(5, "  return a * b;"),
    ],
    "at the end of the file": [
      search("  return 2;\n}\n// end", "  return 3;\n}\n// end"),
      lines.with(9, "  return 3;"),
    ],
    "beside those that have a place": [
      `${search("import a;", "import b;")}\n${search("  return 2;\n};", "  return 3;\n};")}`,
      lines.with(0, "import b;").with(9, "  return 3;"),
    ],
    "where a comment stands for new lines": [
      search("  const a = 1;\n  const b = 2;", "  // ... existing code ..."),
      lines.toSpliced(3, 2, "  // ... existing code ..."),
    ],
    "where they replace the lines in question, with a fence that is too short": [
      "```ts replace\nfunction one() {\n  ~~~\n}\n```",
      lines.toSpliced(2, 5, "function one() {", "  ~~~", "}"),
    ],
  };
  for (const [title, [answer, expected]] of Object.entries(cases)) {
    it(`are shown ${title}`, () => {
      const sketch = sketchOf(answer);
      assert.deepEqual(withHunks(lines, sketch.runs), expected);
      assert.deepEqual(sketch.unplaced, []);
    });
  }

  it("are shown by themselves where no place is like them, or another edit is there", () => {
    assert.deepEqual(sketchOf(search("nowhere();", "here();")), {
      runs: [],
      unplaced: [{ before: ["nowhere();"], lines: ["here();"] }],
    });
    const { runs, unplaced } = sketchOf(`${search("import a;", "import b;")}\n${search("import a;", "import c;")}`);
    assert.deepEqual(runs, [{ start: 0, end: 1, lines: ["import b;"] }]);
    assert.deepEqual(unplaced, [{ before: ["import a;"], lines: ["import c;"] }]);
  });

  it("are shown in place of lines in question that end the file", () => {
    const { runs } = sketchOf("```ts replace\n~~~\n```", ["a", "b"], { start: 1, end: 3 });
    assert.deepEqual(runs, [{ start: 1, end: 2, lines: ["~~~"] }]);
  });

  it("are shown at the place of several that is nearest to the question", () => {
    const equal = ["one();", "x();", "x();", "one();", "x();"];
    const { runs } = sketchOf(search("one();", "two();"), equal, { start: 4, end: 5 });
    assert.deepEqual(runs, [{ start: 3, end: 4, lines: ["two();"] }]);
  });

  it("are shown at the most similar place that is nearest to the question", () => {
    const equal = ["let one = 1;", "x", "let one = 2;", "x"];
    for (const [start, expected] of [
      [0, 0],
      [3, 2],
    ] as const) {
      const { runs } = sketchOf(search("let one = 3;", "two"), equal, { start, end: start + 1 });
      assert.deepEqual(runs, [{ start: expected, end: expected + 1, lines: ["two"] }]);
    }
  });

  it("are nothing where they change nothing, or another file", () => {
    const none: Sketch = { runs: [], unplaced: [] };
    assert.deepEqual(sketchOf("Nothing."), none);
    assert.deepEqual(sketchOf(search("import a;", "import a;")), none);
    assert.deepEqual(sketchOf(search("import b;\n\nfunction one() {", "import a;\n\nfunction one() {")), none);
    assert.deepEqual(sketchOf(search("  const a = 0;", "  const a = 1;")), none);
    assert.deepEqual(sketchOf(`src/b.ts\n${search("import a;", "import b;")}`), none);
    assert.deepEqual(sketchOf(`../a.ts\n${search("import a;", "import b;")}`), none);
  });

  it("are found in a time that grows with their size only", () => {
    assertLinear((size) => {
      const all = Array.from({ length: size }, (_, line) => `line ${line};`);
      const hunks = all.filter((_, line) => line % 4 === 0).map((line) => search(`${line}\nno;`, `${line}\nyes;`));
      const long = all.flatMap((line, at) => (at % 2 === 0 ? [line] : []));
      const longHunk = search(
        long.join("\n"),
        long.map((line, at) => (at % 3 === 0 ? line : `new ${line}`)).join("\n"),
      );
      sketchOf([...hunks, longHunk].join("\n"), all);
    }, 4_000);
  });

  it("never overlap, and lie in the file, whatever the answer and the file have", () => {
    const some = fc.array(fc.constantFrom("a", "b", "  c", "\td", "", "...", "}"), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(some, fc.array(fc.tuple(some, some), { maxLength: 4 }), (all, blocks) => {
        const answer = blocks.map(([old, text]) => search(old.join("\n"), text.join("\n"))).join("\n");
        const { runs } = sketchOf(answer, all);
        let last = 0;
        for (const { start, end } of runs) {
          assert.ok(start >= last && end >= start && end <= all.length, JSON.stringify(runs));
          last = end;
        }
      }),
    );
  });
});

function sketchOf(answer: string, all = lines, asked = { start: 2, end: 7 }): Sketch {
  const { operations } = readOperations(answer, new Map([[path, ""]]));
  return sketchEdits(operations, { path, text: `${all.join("\n")}\n` }, { path, ...asked });
}
