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
    // Its title and file, the target lines if it has some, the answer, and what becomes of it, with the changed lines.
    const [, title = "", path = "", start, end, answer = "", result = "", changes = ""] =
      /^(.*) \| (\S+)(?: (\d+) (\d+))?\n([^]*)\n--- (lands|problem \w+)\n?([^]*)$/.exec(fixture) ?? [];
    const target = start === undefined ? undefined : { path, start: Number(start), end: Number(end) };
    for (const [form, make] of Object.entries(forms)) {
      it(`${result === "lands" ? "lands" : "is refused"}: ${title}${form}`, () => {
        const all = new Map(Array.from(files, ([name, text]) => [name, make(text)]));
        // A file of the same text elsewhere is not changed.
        all.set(`copies/of/${path}`, all.get(path) ?? "");
        const resolution = resolveEdits(answer, all, target);
        const changed = resolution.changes.map((change) => [change.path, change.text]);
        const kinds = resolution.problems.map((problem) => problem.kind);
        if (result === "lands") {
          const expected = make(withChanges(files.get(path) ?? "", changes));
          assert.deepEqual([changed, kinds], [[[path, expected]], []]);
        } else {
          assert.deepEqual(changed, []);
          assert.ok(
            kinds.some((kind) => result === `problem ${kind}`),
            kinds.join(),
          );
        }
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

/** A text with lines replaced: `-` before the old line, with its number where it is there more than once, `+` before new ones. */
function withChanges(text: string, changes: string): string {
  const lines = text.split("\n").map((line): readonly string[] => [line]);
  for (const change of changes.trimEnd().split(/^(?=\d*-)/m)) {
    const [row = "", ...added] = change.trimEnd().split("\n");
    const [, number, old = ""] = /^(\d*)-(.*)$/.exec(row) ?? [];
    const places = lines.flatMap(([line], index) => (line === old ? [index + 1] : []));
    const meant = number === "" ? places : places.filter((place) => place === Number(number));
    assert.equal(meant.length, 1, `${row} is there once`);
    lines[(meant[0] ?? 0) - 1] = added.map((line) => line.slice(1));
  }
  return lines.flat().join("\n");
}
