import assert from "node:assert/strict";
import fc from "fast-check";
import type { LineEdit } from "../../../src/edits/types.ts";
import { exactHunks, withHunks } from "../../../src/inline/answer/proposal.ts";
import { HunkMemory, type StoredHunk, storedHunk } from "../../../src/inline/hunks/hunkMemory.ts";
import { HunkTracker, linesIn, newHunk } from "../../../src/inline/hunks/hunkTracker.ts";
import { openHunksKey } from "../../../src/manifest.ts";
import type { LineReader } from "../../../src/text/lineRange.ts";
import { MemoryState } from "../../suite/memoryState.ts";
import { each } from "../../support/each.ts";

const uri = "file:///a.ts";
const day = 24 * 60 * 60 * 1000;
const original = Array.from("abcdefghij");
/** Changes b, removes e and f, and adds to the end. */
const edits: readonly LineEdit[] = [
  { start: 1, end: 2, lines: ["B", "B2"] },
  { start: 4, end: 6, lines: [] },
  { start: 8, end: 8, lines: ["new"] },
];
const changed = ["a", "B", "B2", "c", "d", "g", "h", "new", "i", "j"];

describe("the memory of open hunks", () => {
  const recalled = (
    state: MemoryState,
    text: readonly string[],
    now?: () => number,
  ): ReturnType<HunkMemory["recall"]> => new HunkMemory(state, now).recall(uri, () => text);
  const rest = ["c", "d", "g", "h", "new", "i", "j"];
  each<[readonly string[]], readonly string[]>([
    ["finds them where they were", changed, ["1 B B2", "5", "7 new"]],
    ["finds them elsewhere, where lines came above", ["x", ...changed], ["2 B B2", "6", "8 new"]],
    ["finds them by their text, when what is around them is gone", ["B", "B2", "h", "x", "new"], ["0 B B2", "4 new"]],
    ["finds all but the one that was edited", ["a", "b", "B2", ...rest], ["5", "7 new"]],
    ["finds all but one that is there twice now", ["B", "B2", "x", "B", "B2", ...rest], ["7", "9 new"]],
    ["finds none in another text", ["x", "y"], []],
    ["finds none in an empty text", [""], []],
  ]).gives((text) =>
    recalled(remembered(original, edits), text).map(({ lines, after }) => [lines.start, ...after].join(" ")),
  );

  it("finds all in the same text, and in any other only what can be undone there exactly", () => {
    const lines = fc.array(fc.stringMatching(/^[ab]{0,2}$/), { minLength: 1, maxLength: 12 });
    const outside = fc.array(fc.record({ at: fc.nat(), remove: fc.nat(2), add: lines }), { maxLength: 3 });
    fc.assert(
      fc.property(lines, lines, outside, (before, after, changes) => {
        const state = remembered(before, [{ start: 0, end: before.length, lines: after }]);
        const hunks = exactHunks(before, [{ start: 0, end: before.length, lines: after }]);
        const same = recalled(state, after);
        assert.equal(same.length, hunks.length);
        assert.deepEqual(undone(after, same), before);
        const text = [...after];
        for (const { at, remove, add } of changes) text.splice(at % (text.length + 1), remove, ...add);
        const found = recalled(state, text);
        for (const [index, { lines, after }] of found.entries()) {
          assert.deepEqual(text.slice(lines.start, lines.end), after);
          assert.ok(lines.start >= (found[index - 1]?.lines.end ?? 0));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("forgets a document without open hunks, and stores nothing where nothing is open", () => {
    const state = remembered(original, edits);
    new HunkMemory(state).store([[uri, []]]);
    assert.deepEqual(state.keys(), []);
  });

  it("keeps what is of documents that are not open", () => {
    const state = remembered(original, edits);
    new HunkMemory(state).store([["file:///b.ts", hunksOf(original, edits)]]);
    assert.equal(recalled(state, changed).length, 3);
  });

  it("forgets after 30 days", () => {
    const state = remembered(original, edits, 0);
    assert.equal(recalled(state, changed, () => 30 * day).length, 3);
    assert.equal(recalled(state, changed, () => 30 * day + 1).length, 0);
  });

  it("keeps the newest of many documents, and leaves out one that is too large", () => {
    const state = new MemoryState();
    let now = 0;
    const memory = new HunkMemory(state, () => (now += 1));
    const hunks = hunksOf(original, edits);
    for (let index = 0; index < 60; index += 1) memory.store([[`file:///${index}.ts`, hunks]]);
    const large = hunks.map((hunk) => ({ ...hunk, before: ["x".repeat(200_000)] }));
    memory.store([["file:///large.ts", large]]);
    const stored = state.get<{ uri: string }[]>(openHunksKey).map((document) => document.uri);
    assert.deepEqual([stored.length, stored[0], stored.at(-1)], [50, "file:///59.ts", "file:///10.ts"]);
    assert.ok(JSON.stringify(state.get(openHunksKey)).length < 250_000);
  });

  it("writes nothing where nothing has changed", () => {
    const state = remembered(original, edits);
    const stored = state.get(openHunksKey);
    new HunkMemory(state, () => Date.now() + 5).store([[uri, hunksOf(original, edits)]]);
    assert.equal(state.get(openHunksKey), stored);
  });

  it("trusts nothing that is read back", async () => {
    const state = remembered(original, edits);
    const [document] = state.get<{ hunks: readonly object[] }[]>(openHunksKey);
    assert.ok(document);
    const [good] = document.hunks;
    assert.ok(good);
    const foreign: readonly unknown[] = [undefined, null, 1, "x", [], {}, [null], ["a\nb"], -1, 1.5, Infinity];
    const damaged = Object.keys(good).flatMap((field) => foreign.map((value) => ({ ...good, [field]: value })));
    for (const hunks of [...damaged.map((hunk) => [hunk]), ...foreign]) {
      await state.update(openHunksKey, [{ ...document, hunks }]);
      for (const { lines, after } of recalled(state, changed)) {
        assert.deepEqual(changed.slice(lines.start, lines.end), after);
      }
    }
    const others = [{ at: "x" }, { uri: 1 }, { at: 1e300 }].map((damage) => [{ ...document, ...damage }]);
    for (const stored of [...foreign, ...others]) {
      await state.update(openHunksKey, stored);
      assert.deepEqual(recalled(state, changed), []);
    }
    await state.update(openHunksKey, [{ ...document, hunks: [...document.hunks, ...document.hunks] }]);
    assert.ok(recalled(state, changed).filter(({ after }) => after.length > 0).length <= 2);
  });
});

/** State with the hunks of a document, stored at a time. */
function remembered(before: readonly string[], edits: readonly LineEdit[], at = Date.now()): MemoryState {
  const state = new MemoryState();
  new HunkMemory(state, () => at).store([[uri, hunksOf(before, edits)]]);
  return state;
}

/** What is stored of a document once these edits are applied to it. */
function hunksOf(before: readonly string[], edits: readonly LineEdit[]): readonly StoredHunk[] {
  let lines = before;
  const document: LineReader = {
    get lineCount() {
      return lines.length;
    },
    lineAt: (line) => ({ text: lines[line] ?? "" }),
  };
  const tracker = new HunkTracker(document);
  const hunks = exactHunks(before, edits).map((edit) => newHunk(document, edit));
  const { edits: exact, done } = tracker.replacing(hunks, "open");
  lines = withHunks(before, exact);
  done();
  for (const hunk of hunks) assert.deepEqual(linesIn(document, hunk.lines), hunk.after);
  return tracker.open.flatMap((hunk) => storedHunk(document, hunk, "answer"));
}

/** A text without some hunks. */
function undone(lines: readonly string[], hunks: ReturnType<HunkMemory["recall"]>): readonly string[] {
  return withHunks(
    lines,
    hunks.map(({ lines, before }) => ({ ...lines, lines: before })),
  );
}
