import assert from "node:assert/strict";
import fc from "fast-check";
import { FileText } from "../../src/edits/change/fileText.ts";
import { type FileChange, resolveEdits } from "../../src/edits/resolveEdits.ts";
import { assertLinear } from "../support/assertLinear.ts";

const code = fc.constantFrom(
  "",
  "{",
  "}",
  "  a();",
  "  b();",
  "\tc();",
  "x",
  "y",
  "z",
  "    deep();",
  "---",
  "+++",
  "...",
);
const lineEnding = fc.constantFrom("\n", "\r\n");
const fileText = fc
  .record({
    lines: fc.array(fc.tuple(code, lineEnding), { maxLength: 20 }),
    mark: fc.constantFrom("", "\ufeff"),
    last: fc.constantFrom("", "end"),
  })
  .map(({ lines, mark, last }) => mark + lines.map(([line, ending]) => line + ending).join("") + last);

/** Applies hunks in the simplest way. */
function applied(text: string, { hunks }: FileChange): readonly string[] {
  const lines = [...new FileText(text).lines];
  for (const { start, end, lines: added } of hunks.toReversed()) lines.splice(start, end - start, ...added);
  return lines;
}

describe("whatever the answer", () => {
  const pieces = fc.constantFrom(
    ..."*** Begin Patch|*** End Patch|*** Update File: a|*** Add File: b|*** Delete File: a|*** Move to: c|@@|@@ x|-x|+y| x".split(
      "|",
    ),
    ..."<<<<<<< SEARCH|=======|>>>>>>> REPLACE|```|```ts replace|```ts a|````|~~~|a|b|`a`:|--- a/a|+++ b/a|@@ -1,2 +1,3 @@".split(
      "|",
    ),
    ..."<!--|-->|<div>||x|y|  a();|  b();|}|*** End of File|...|// ...|> x|- x|1. x|rename from a|rename to b|\\ No newline".split(
      "|",
    ),
  );
  const answers = fc.array(pieces, { maxLength: 30 }).map((lines) => lines.join("\n"));

  it("never throws, and changes exactly the lines of the hunks", () => {
    fc.assert(
      fc.property(answers, fileText, fc.nat(20), fc.nat(20), (answer, text, one, other) => {
        const asked = { path: "a", start: Math.min(one, other), end: Math.max(one, other) };
        const { changes } = resolveEdits(answer, new Map([["a", text]]), asked);
        for (const change of changes) {
          if (change.kind !== "update" && change.kind !== "rename") continue;
          const expected = [...applied(text, change)];
          // At the end of a file without a final newline, a blank line is no text at all.
          if (!/(?:^|[\r\n])$/.test(text) && expected.at(-1) === "") expected.pop();
          assert.deepEqual(new FileText(change.text).lines, expected);
          assert.equal(change.text.startsWith("\ufeff"), text.startsWith("\ufeff"));
          for (const [at, { start, end }] of change.hunks.entries()) {
            assert.ok(start <= end && start >= (change.hunks[at - 1]?.end ?? 0));
          }
        }
      }),
      { seed: 14, numRuns: 3_000 },
    );
  });

  it("changes nothing once it is cut off, apart from complete blocks", () => {
    fc.assert(
      fc.property(fileText, fc.nat(), (text, seed) => {
        const lines = new FileText(text).lines;
        const at = lines.length === 0 ? 0 : seed % lines.length;
        const rows = [` ${lines[at - 1] ?? ""}`, `-${lines[at] ?? ""}`, "+new();"].join("\n");
        const answer = `*** Begin Patch\n*** Update File: a\n${rows}\n*** End Patch`;
        const length = seed % answer.length;
        assert.deepEqual(resolveEdits(answer.slice(0, length), new Map([["a", text]])).changes, []);
      }),
      { seed: 14 },
    );
  });
});

describe("old lines", () => {
  const target = fc.tuple(fileText, fc.nat(), fc.integer({ min: 1, max: 4 }));

  it("are replaced only where they stand once, and nothing else changes", () => {
    fc.assert(
      fc.property(target, ([text, seed, count]) => {
        const { lines } = new FileText(text);
        const start = lines.length === 0 ? 0 : seed % lines.length;
        const old = lines.slice(start, start + count);
        fc.pre(old.some((line) => line.trim() !== "") && !old.includes("..."));
        const answer = `a\n<<<<<<< SEARCH\n${old.join("\n")}\n=======\nnew();\n>>>>>>> REPLACE`;
        const places = lines.filter((_, at) => old.every((line, offset) => lines[at + offset] === line));
        const { changes, problems } = resolveEdits(answer, new Map([["a", text]]));
        if (places.length > 1) {
          assert.deepEqual([changes, problems.map(({ kind }) => kind)], [[], ["ambiguous"]]);
          return;
        }
        const [change] = changes;
        assert.ok(change, JSON.stringify(problems));
        const expected = [...lines.slice(0, start), "new();", ...lines.slice(start + old.length)];
        assert.deepEqual(new FileText(change.text).lines, expected);
      }),
      { seed: 14, numRuns: 1_000 },
    );
  });
});

describe("a large answer to a large file", () => {
  const numbered = (count: number, prefix = "line"): readonly string[] =>
    Array.from({ length: count }, (_, index) => `  ${prefix}${index}();`);

  it("is resolved in 200 ms: 20,000 lines, changed by 2,000", () => {
    const lines = numbered(20_000);
    const hunks = Array.from({ length: 250 }, (_, index) => {
      const at = index * 80;
      const context = lines.slice(at, at + 3).map((line) => ` ${line}`);
      return [
        "@@",
        ...context,
        `-${lines[at + 3] ?? ""}`,
        `+  changed${index}();`,
        ` ${lines[at + 4] ?? ""}`,
        ` ${lines[at + 5] ?? ""}`,
      ].join("\n");
    });
    const answer = `*** Begin Patch\n*** Update File: a\n${hunks.join("\n")}\n*** End Patch`;
    const files = new Map([["a", `${lines.join("\n")}\n`]]);
    const times = [1, 2, 3].map(() => {
      const start = performance.now();
      assert.equal(resolveEdits(answer, files).changes[0]?.hunks.length, 250);
      return performance.now() - start;
    });
    assert.ok(Math.min(...times) < 200, times.join(" "));
  });

  const hostile: Readonly<Record<string, (size: number) => readonly [answer: string, text: string]>> = {
    "equal lines": (size) => [
      `a\n<<<<<<< SEARCH\n${"}\n".repeat(size / 8)}x\n=======\nb\n>>>>>>> REPLACE`,
      `${"}\n".repeat(size)}x`,
    ],
    "hunks for equal lines": (size) => [
      `a\n${"<<<<<<< SEARCH\n}\n=======\nb\n>>>>>>> REPLACE\n".repeat(Math.min(1_500, size / 20))}`,
      "}\n".repeat(size),
    ],
    "different hunks for equal lines": (size) => [
      `a\n${numbered(Math.min(1_500, size / 20))
        .map((line) => `<<<<<<< SEARCH\n}\n=======\n${line}\n>>>>>>> REPLACE\n`)
        .join("")}`,
      "}\n".repeat(size),
    ],
    "hunks with anchors": (size) => [
      `*** Begin Patch\n*** Update File: a\n${numbered(Math.min(2_500, size / 20))
        .map((line) => `@@ ${line}\n-}\n+a\n`)
        .join("")}*** End Patch`,
      `{\n}\n`.repeat(size / 2),
    ],
    "a line of fences": (size) => ["`".repeat(size) + " ```".repeat(size), "a"],
    "starts of patches": (size) => ["*** Begin Patch\n".repeat(size / 10), "a"],
    "starts of searches": (size) => ["<<<<<<< SEARCH\n".repeat(size / 10), "a"],
    separators: (size) => [`a\n<<<<<<< SEARCH\n${"=======\n".repeat(size / 8)}>>>>>>> REPLACE`, "a"],
    "headers of diffs": (size) => ["--- a\n+++ a\n\n".repeat(size / 10), "a"],
    "open diffs": (size) => ["@@ -1,9 +1,9 @@\n".repeat(size / 10), "a"],
    "a path of stars": (size) => [`${"*".repeat(size)}\n\`\`\`\na\n\`\`\``, "a"],
    blanks: (size) => [
      `a\n<<<<<<< SEARCH\n${" ".repeat(size)}x\n=======\n${"\t ".repeat(size / 2)}\n>>>>>>> REPLACE`,
      `${" ".repeat(size)}\n`,
    ],
    "a file written anew": (size) => [
      `\`\`\`ts a\n${numbered(size / 20, "b").join("\n")}\n\`\`\``,
      numbered(size / 20)
        .flatMap((line, at) => [line, at % 2 === 0 ? "}" : ""])
        .join("\n"),
    ],
    "a file in another order": (size) => [
      `\`\`\`ts a\n${numbered(size / 20)
        .toReversed()
        .join("\n")}\n\`\`\``,
      numbered(size / 20).join("\n"),
    ],
  };
  for (const [title, make] of Object.entries(hostile)) {
    it(`takes linear time: ${title}`, () => {
      assertLinear((size) => {
        const [answer, text] = make(size);
        resolveEdits(answer, new Map([["a", text]]), { path: "a", start: 0, end: 2 });
      }, 40_000);
    });
  }
});
