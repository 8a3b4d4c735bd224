import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { resolveEdits } from "../../src/edits/resolveEdits.ts";
import { withHunks } from "../support/edits/edit.ts";

const runs = { numRuns: 3000, seed: 7 } as const;

const files = new Map([
  ["src/a.ts", "one\ntwo\n  three\n\nfour\ntwo\nfive\n"],
  ["b.md", "\u{feff}# Title\r\n\r\n```ts\r\none\r\n```\r\n"],
  ["empty.txt", ""],
]);

/** What answers with edits are made of, in no order. */
const pieces = [
  "```", "````", "```ts replace", "```ts src/a.ts", "```diff", "~~~", "src/a.ts", "**b.md**", "../secret.ts", "/etc/hosts",
  "<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE", "*** Begin Patch", "*** Update File: src/a.ts", "*** Update File: b.md",
  "*** Add File: c/new.ts", "*** Add File: ../../new.ts", "*** Delete File: empty.txt", "*** Move to: d.ts", "*** End Patch",
  "*** Move to: C:\\windows", "*** End of File", "@@", "@@ two", "@@ -1,2 +1,2 @@", "--- a/src/a.ts", "+++ b/src/a.ts",
  "--- /dev/null", "+++ /dev/null", "one", "two", "  three", "four", "five", "six", "", " two", "-two", "+six", "+", " ", "-",
  "-  three", "+  three", "...", "// ... existing code ...", "<!--", "-->", "<div>", "</div>", "- item", "> quote", "# Title",
]; // prettier-ignore

const answers = fc
  .array(fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...pieces) }, fc.string()), { maxLength: 40 })
  .chain((lines) => fc.constantFrom(lines.join("\n"), lines.join("\r\n"), `${lines.join("\n")}\n`));
const asked = fc.option(
  fc.record({ path: fc.constantFrom(...files.keys()), start: fc.nat(4), end: fc.integer({ min: 4, max: 7 }) }),
  { nil: undefined },
);

describe("an answer of anything", () => {
  it("changes only files of the workspace, and shows what it changes", () => {
    const property = fc.property(answers, asked, (answer, about) => {
      const { changes } = resolveEdits(answer, files, about);
      for (const { path, newPath, kind, text, hunks } of changes) {
        for (const name of [path, newPath ?? path])
          assert.doesNotMatch(name, /^([/\\~]|[A-Za-z]:)|(^|[/\\])\.\.([/\\]|$)|\0/);
        assert.equal(files.has(path), kind !== "create");
        if (kind === "delete") continue;
        const sorted = [...hunks].sort((one, other) => one.start - other.start);
        const made = withHunks(linesOf(files.get(path) ?? ""), sorted);
        if (kind === "update") assert.deepEqual(made.join("\n"), linesOf(text).join("\n"));
      }
      assert.equal(new Set(changes.map(({ path }) => path)).size, changes.length);
    });
    fc.assert(property, runs);
  });

  it("gives the same result each time, and changes no input", () => {
    const property = fc.property(answers, asked, (answer, about) => {
      const before = [...files];
      const result = resolveEdits(answer, files, about);
      assert.deepEqual(resolveEdits(answer, files, about), result);
      assert.deepEqual([...files], before);
    });
    fc.assert(property, { ...runs, numRuns: 500 });
  });
});

function linesOf(text: string): readonly string[] {
  const lines = text.replace(/^\u{feff}/u, "").split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
