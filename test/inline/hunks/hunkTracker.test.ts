import assert from "node:assert/strict";
import fc from "fast-check";
import type { LineEdit } from "../../../src/edits/types.ts";
import { exactHunks } from "../../../src/inline/answer/proposal.ts";
import { type Followed, HunkTracker } from "../../../src/inline/hunks/hunkTracker.ts";
import { linesIn, type TrackedHunk } from "../../../src/inline/hunks/trackedHunk.ts";
import { UndoableDocument } from "./undoableDocument.ts";

const original = Array.from("abcdefghij");
/** Changes b, removes e and f, and adds to the end. */
const threeHunks: readonly LineEdit[] = [
  { start: 1, end: 2, lines: ["B", "B2"] },
  { start: 4, end: 6, lines: [] },
  { start: 8, end: 8, lines: ["new"] },
];
const changed = ["a", "B", "B2", "c", "d", "g", "h", "new", "i", "j"];

describe("the hunks of an applied change", () => {
  it("stand where they were put, and know what was there before", () => {
    const { document, tracker } = applied();
    assert.deepEqual(document.lines, changed);
    assert.deepEqual(
      tracker.open.map(({ lines, before, after }) => [lines.start, lines.end, before.join(""), after.join("")]),
      [
        [1, 3, "b", "BB2"],
        [5, 5, "ef", ""],
        [7, 8, "", "new"],
      ],
    );
  });

  it("move with what is typed above, and reshape only with what is typed inside", () => {
    const { tracker, type, followed } = applied();
    type(0, 0, "x\n");
    assert.deepEqual(rangesOf(tracker), [
      [2, 4],
      [6, 6],
      [8, 9],
    ]);
    type(2, 1, "y");
    assert.ok(followed.every(({ isReshaped, isDecided }) => !isReshaped && !isDecided));
    type(2, 1, "y\n");
    assert.deepEqual(rangesOf(tracker)[0], [2, 5]);
    assert.ok(followed.at(-1)?.isReshaped);
  });

  it("end together when the editor undoes the change, and come back when it is done again", () => {
    const { document, tracker, type, followed } = applied();
    type(9, 0, "typed");
    document.undo();
    assert.equal(tracker.open.length, 3);
    document.undo();
    assert.deepEqual(document.lines, original);
    assert.deepEqual(tracker.open, []);
    assert.ok(followed.at(-1)?.isDecided);
    document.redo();
    assert.deepEqual(rangesOf(tracker), [
      [1, 3],
      [5, 5],
      [7, 8],
    ]);
    document.redo();
    assert.equal(tracker.open.length, 3);
  });

  it("end, kept ones as well, when the editor undoes the change and the undoing of a hunk in one step", () => {
    const { document, tracker, hunks, undo } = applied();
    const [first, second, third] = hunks;
    assert.ok(first && second && third);
    first.decision = "accepted";
    undo(second, true);
    assert.deepEqual(document.lines, ["a", "B", "B2", "c", "d", "e", "f", "g", "h", "new", "i", "j"]);
    assert.deepEqual(rangesOf(tracker), [[9, 10]]);
    document.undo();
    assert.deepEqual(document.lines, original);
    assert.deepEqual(decisionsOf(hunks), ["undone", "undone", "undone"]);
    document.redo();
    assert.deepEqual(decisionsOf(hunks), ["accepted", "undone", "open"]);
  });

  it("come back one by one when the editor undoes the undoing of a hunk in a step of its own", () => {
    const { document, tracker, hunks, undo } = applied();
    const [first, second] = hunks;
    assert.ok(first && second);
    first.decision = "accepted";
    undo(second, false);
    document.undo();
    assert.deepEqual(document.lines, changed);
    assert.deepEqual(decisionsOf(hunks), ["accepted", "open", "open"]);
    document.redo();
    assert.deepEqual(decisionsOf(hunks), ["accepted", "undone", "open"]);
    document.undo();
    document.undo();
    assert.deepEqual(document.lines, original);
    assert.deepEqual(tracker.open, []);
  });

  it("are where they were when lines that were deleted across them come back", () => {
    const { document, tracker } = applied();
    const places = rangesOf(tracker);
    document.edit([{ range: { start: { line: 0, character: 0 }, end: { line: 9, character: 1 } }, text: "" }]);
    assert.deepEqual(document.lines, [""]);
    document.undo();
    assert.deepEqual(rangesOf(tracker), places);
  });

  it("are not taken for undone when something else is", () => {
    const { document, tracker, type } = applied([{ start: 1, end: 2, lines: ["c"] }]);
    type(4, 0, "x");
    document.undo();
    assert.equal(tracker.open.length, 1);
  });

  it("keep their lines, and give back exactly what was there, whatever is typed elsewhere", () => {
    const line = fc.stringMatching(/^[ab]{0,2}$/);
    const lines = fc.array(line, { minLength: 1, maxLength: 12 });
    const edit = fc.record({
      at: fc.nat(),
      column: fc.nat(),
      isDeletion: fc.boolean(),
      text: fc.constantFrom("x", "x\n", "\n", "x\ny"),
    });
    fc.assert(
      fc.property(lines, lines, fc.array(edit, { maxLength: 8 }), (before, after, edits) => {
        const all = ["top", ...before, "bottom"];
        const { document, tracker, hunks, undo } = applied([{ start: 1, end: all.length - 1, lines: after }], all);
        assert.deepEqual(document.lines, ["top", ...after, "bottom"]);
        for (const { at, column, isDeletion, text } of edits)
          typeOutside(document, tracker, at, column, isDeletion ? "" : text);
        for (const hunk of tracker.open) assert.deepEqual(linesIn(document, hunk.lines), hunk.after);
        const typed = document.lines;
        for (const hunk of hunks) undo(hunk, false);
        assert.deepEqual(tracker.open, []);
        assert.ok(hunks.every(() => document.undo()));
        assert.deepEqual(document.lines, typed);
        assert.ok(hunks.every(({ decision }) => decision === "open"));
        for (const hunk of hunks) assert.deepEqual(linesIn(document, hunk.lines), hunk.after);
        while (document.undo());
        assert.deepEqual(document.lines, all);
        assert.deepEqual(tracker.open, []);
        while (document.redo());
        assert.deepEqual(tracker.open, []);
      }),
      { numRuns: 1_000 },
    );
  });

  it("restore the document when all are undone in any order", () => {
    const line = fc.stringMatching(/^[ab]{0,2}$/);
    const lines = fc.array(line, { minLength: 1, maxLength: 15 });
    fc.assert(
      fc.property(lines, lines, fc.array(fc.nat(), { minLength: 15, maxLength: 15 }), (before, after, order) => {
        const { document, hunks, undo } = applied([{ start: 0, end: before.length, lines: after }], before);
        const shuffled = hunks
          .map((hunk, index) => ({ hunk, key: order[index] ?? 0 }))
          .toSorted((a, b) => a.key - b.key);
        for (const [index, { hunk }] of shuffled.entries()) undo(hunk, index % 2 === 0);
        assert.deepEqual(document.lines, before);
      }),
      { numRuns: 1_000 },
    );
  });

  it("cost nothing per key, however long the document is and however many there are", () => {
    const all = Array.from({ length: 20_000 }, (_, index) => `line ${index}`);
    const many = Array.from({ length: 200 }, (_, index) => ({
      start: index * 90,
      end: index * 90 + 1,
      lines: [`new ${index}`],
    }));
    let reads = 0;
    const document = new UndoableDocument(all);
    const counted = {
      get lineCount() {
        return document.lineCount;
      },
      lineAt: (line: number) => {
        reads += 1;
        return document.lineAt(line);
      },
    };
    const tracker = new HunkTracker(counted);
    replace(document, tracker, tracker.swapsFor(many), false);
    reads = 0;
    const change = { range: { start: { line: 1, character: 0 }, end: { line: 1, character: 0 } }, text: "x\n" };
    const start = performance.now();
    for (let key = 0; key < 1_000; key += 1) tracker.follow([change]);
    assert.ok(performance.now() - start < 1_000);
    assert.equal(reads, 0);
  });
});

/** A document with applied hunks, and what can be done to it. */
function applied(
  hunks = threeHunks,
  lines: readonly string[] = original,
): {
  readonly document: UndoableDocument;
  readonly tracker: HunkTracker;
  readonly hunks: readonly TrackedHunk[];
  readonly followed: readonly Followed[];
  readonly type: (line: number, character: number, text: string) => void;
  readonly undo: (hunk: TrackedHunk, isSameStep: boolean) => void;
} {
  const document = new UndoableDocument(lines);
  const tracker = new HunkTracker(document);
  const followed: Followed[] = [];
  document.onChange.push((changes, reason) => followed.push(tracker.follow(changes, reason)));
  const swaps = tracker.swapsFor(exactHunks(document.lines, hunks));
  if (swaps.length > 0) replace(document, tracker, swaps, false);
  followed.length = 0;
  return {
    document,
    tracker,
    hunks: swaps.map(({ hunk }) => hunk),
    followed,
    type: (line, character, text) => {
      document.edit([{ range: { start: { line, character }, end: { line, character } }, text }]);
    },
    undo: (hunk, isSameStep) => {
      const swap = { hunk, range: hunk.lines, lines: hunk.before, decision: "undone" } as const;
      replace(document, tracker, [swap], isSameStep);
    },
  };
}

function replace(
  document: UndoableDocument,
  tracker: HunkTracker,
  swaps: ReturnType<HunkTracker["swapsFor"]>,
  isSameStep: boolean,
): void {
  const before = tracker.snapshot(swaps);
  document.replace(
    swaps.map(({ range, lines }) => ({ ...range, lines })),
    isSameStep,
  );
  tracker.replaced(before, swaps);
}

/** Types, or deletes a character, in a line that belongs to no hunk. */
function typeOutside(document: UndoableDocument, tracker: HunkTracker, at: number, column: number, text: string): void {
  const isFree = (line: number): boolean => tracker.open.every(({ lines }) => line < lines.start || line >= lines.end);
  const free = document.lines.keys().filter(isFree).toArray();
  const line = free[at % free.length];
  if (line === undefined) return;
  const { length } = document.lineAt(line).text;
  const character = column % (length + 1);
  const end = text === "" ? Math.min(length, character + 1) : character;
  document.edit([{ range: { start: { line, character }, end: { line, character: end } }, text }]);
}

function rangesOf(tracker: HunkTracker): readonly (readonly [number, number])[] {
  return tracker.open.map(({ lines }) => [lines.start, lines.end]);
}

function decisionsOf(hunks: readonly TrackedHunk[]): readonly string[] {
  return hunks.map(({ decision }) => decision);
}
