import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolveEdits } from "../../src/edits/resolveEdits.ts";

const fixtures = readFileSync(new URL("fixtures.txt", import.meta.url), "utf8")
  .split(/\n=== /)
  .slice(1);
const isFile = (fixture: string): boolean => fixture.startsWith("file ");
const files = new Map(fixtures.filter(isFile).map((fixture) => [nameIn(fixture), textIn(fixture)]));

/** The forms that a file may have, whatever the answer. */
const forms: Readonly<Record<string, (text: string) => string>> = {
  "": (text) => text,
  ", with line endings of Windows": (text) => text.replaceAll("\n", "\r\n"),
  ", with a byte order mark": (text) => `\ufeff${text}`,
  ", without a final newline": (text) => text.replace(/\n$/, ""),
};

describe("an edit in an answer of a model", () => {
  for (const fixture of fixtures.filter((one) => !isFile(one))) {
    const [, title = "", path = "", start, end, answer = "", kind = "", expected = ""] =
      /^(.*) \| (\S+)(?: (\d+) (\d+))?\n([^]*)\n--- (lands|after|problem \w+)\n?([^]*)$/.exec(fixture) ?? [];
    const target = start === undefined ? undefined : { path, start: Number(start), end: Number(end) };
    const before = files.get(path) ?? "";
    for (const [form, make] of Object.entries(forms)) {
      it(`${kind.startsWith("problem") ? "is refused" : "lands"}: ${title}${form}`, () => {
        // A file of the same text elsewhere is not changed.
        const all = new Map([
          [`copies/of/${path}`, make(before)],
          [path, make(before)],
        ]);
        const { changes, problems } = resolveEdits(answer, all, target);
        if (kind.startsWith("problem")) {
          assert.deepEqual(changes, []);
          assert.ok(
            problems.some((problem) => kind === `problem ${problem.kind}`),
            JSON.stringify(problems),
          );
          return;
        }
        const after = kind === "after" ? `${expected.trimEnd()}\n` : withChanges(before, expected);
        assert.deepEqual(problems, []);
        assert.deepEqual(
          changes.map((change) => [change.path, change.text]),
          [[path, make(after)]],
        );
      });
    }
  }
});

function nameIn(fixture: string): string {
  return /^file (\S+)/.exec(fixture)?.[1] ?? "";
}

function textIn(fixture: string): string {
  return `${fixture.slice(fixture.indexOf("\n") + 1).trimEnd()}\n`;
}

/** A text with lines replaced, each of which it has once: `-` before the old line, `+` before the new ones. */
function withChanges(text: string, changes: string): string {
  return changes
    .split(/^-/m)
    .slice(1)
    .reduce((changed, change) => {
      const [old = "", ...added] = change.trimEnd().split("\n");
      assert.equal(changed.split(`${old}\n`).length, 2, `${old} is there once`);
      return changed.replace(`${old}\n`, () => added.map((line) => `${line.slice(1)}\n`).join(""));
    }, text);
}
