import assert from "node:assert/strict";
import fc from "fast-check";
import { FileText } from "../../src/edits/change/fileText.ts";
import { type FileChange, resolveEdits } from "../../src/edits/resolveEdits.ts";

const code = fc.constantFrom(..."|{|}|  a();|  b();|\tc();|x|y|z|    deep();|---|+++|...".split("|"));
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

describe("any answer", () => {
  const lines = [
    "*** Begin Patch|*** End Patch|*** Update File: a|*** Add File: b|*** Delete File: a|*** Move to: c|@@|@@ x|-x|+y| x",
    "<<<<<<< SEARCH|=======|>>>>>>> REPLACE|```|```ts replace|```ts a|````|~~~|a|b|`a`:|--- a/a|+++ b/a|@@ -1,2 +1,3 @@",
    "../secret.ts|*** Add File: ../../new.ts|*** Move to: C:\\windows|/etc/hosts|+++ /dev/null|--- /dev/null",
    "<!--|-->|<div>||x|y|  a();|  b();|}|*** End of File|...|// ...|> x|- x|1. x|rename from a|rename to b|\\ No newline",
  ];
  const pieces = fc.constantFrom(...lines.flatMap((line) => line.split("|")));
  const answers = fc.array(pieces, { maxLength: 30 }).map((lines) => lines.join("\n"));

  it("never throws, and changes exactly the lines of the hunks", () => {
    fc.assert(
      fc.property(answers, fileText, fc.nat(20), fc.nat(20), (answer, text, one, other) => {
        const asked = { path: "a", start: Math.min(one, other), end: Math.max(one, other) };
        const { changes } = resolveEdits(answer, new Map([["a", text]]), asked);
        for (const change of changes) {
          for (const name of [change.path, change.newPath ?? change.path]) {
            assert.doesNotMatch(name, /^([/\\~]|[A-Za-z]:)|(^|[/\\])\.\.([/\\]|$)|\0/);
          }
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
});

describe("old lines", () => {
  const target = fc.tuple(fileText, fc.nat(), fc.integer({ min: 1, max: 4 }));

  it("are replaced only where they are unique, and nothing else changes", () => {
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

  it("of a patch are replaced at their position, or not at all", () => {
    // Most lines are usual ones, so a hunk may fit in several places.
    const usual = fc.constantFrom(..."a();|b();|  a();|    deep();|}|if (x) {||* a comment".split("|"));
    const lines = fc.array(fc.oneof(usual, fc.stringMatching(/^[a-z]{8}\(\);$/)), { minLength: 40, maxLength: 100 });
    const starts = fc.tuple(fc.integer({ min: 3, max: 15 }), fc.integer({ min: 22, max: 33 }));
    const shifts = fc.constantFrom("", "    ", "\t");
    let landed = 0;
    fc.assert(
      fc.property(lines, starts, fc.nat(3), shifts, (old, [first, second], removed, shift) => {
        // A patch with two hunks, each with three lines around those that it replaces, and all of them shifted.
        const row = (mark: string, line: string): string => mark + (line.trim() === "" ? line : shift + line);
        const hunkAt = (start: number): readonly string[] => [
          "@@",
          ...old.slice(start - 3, start).map((line) => row(" ", line)),
          ...old.slice(start, start + removed).map((line) => row("-", line)),
          row("+", `added(${start});`),
          ...old.slice(start + removed, start + removed + 3).map((line) => row(" ", line)),
        ];
        const rows = ["*** Begin Patch", "*** Update File: a", ...hunkAt(first), ...hunkAt(second), "*** End Patch"];
        const { changes, problems } = resolveEdits(rows.join("\n"), new Map([["a", old.join("\n")]]));
        if (problems.length > 0) {
          assert.deepEqual(changes, []);
          return;
        }
        landed += 1;
        const changed = old
          .toSpliced(second, removed, `added(${second});`)
          .toSpliced(first, removed, `added(${first});`);
        assert.equal(changes[0]?.text, changed.join("\n"));
      }),
      { seed: 14, numRuns: 1_000 },
    );
    assert.ok(landed >= 500, String(landed));
  });
});
