import assert from "node:assert/strict";
import fc from "fast-check";
import type { LineEdit } from "../../../src/edits/types.ts";
import { exactHunks } from "../../../src/inline/answer/proposal.ts";
import {
  hunkAt,
  hunkFrom,
  HunkTracker,
  linesIn,
  newHunk,
  type TrackedHunk,
} from "../../../src/inline/hunks/hunkTracker.ts";
import { type DocumentChange, type LineRange, replaceLines } from "../../../src/text/lineRange.ts";
import { each } from "../../support/each.ts";

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
    const texts = tracker.open.map(({ before, after }) => `${before.join("")} -> ${after.join("")}`);
    assert.deepEqual(texts, ["b -> BB2", "ef -> ", " -> new"]);
    assert.deepEqual(rangesOf(tracker), "1-3 5-5 7-8");
  });

  it("move with what is typed above, and reshape only with what is typed inside", () => {
    const { tracker, type, followed } = applied();
    type(0, 0, "x\n");
    assert.deepEqual(rangesOf(tracker), "2-4 6-6 8-9");
    type(2, 1, "y");
    assert.deepEqual(new Set(followed), new Set([undefined]));
    type(2, 1, "y\n");
    assert.match(rangesOf(tracker), /^2-5 /);
    assert.equal(followed.at(-1), "reshaped");
  });

  it("end together when the editor undoes the change, and come back when it is done again", () => {
    const { document, tracker, type, followed } = applied();
    type(9, 0, "typed");
    document.undo();
    assert.equal(tracker.open.length, 3);
    document.undo();
    assert.deepEqual(document.lines, original);
    assert.deepEqual(tracker.open, []);
    assert.equal(followed.at(-1), "decided");
    document.redo();
    assert.deepEqual(rangesOf(tracker), "1-3 5-5 7-8");
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
    assert.deepEqual(rangesOf(tracker), "9-10");
    document.undo();
    assert.deepEqual(document.lines, original);
    assert.deepEqual(decisionsOf(hunks), "undone undone undone");
    document.redo();
    assert.deepEqual(decisionsOf(hunks), "accepted undone open");
  });

  it("come back, but for what was accepted since, when the editor undoes the undoing of one alone", () => {
    const { document, hunks, undo } = applied();
    const [first, second] = hunks;
    assert.ok(first && second);
    undo(second, false);
    first.decision = "accepted";
    document.undo();
    assert.deepEqual(document.lines, changed);
    assert.deepEqual(decisionsOf(hunks), "accepted open open");
    document.redo();
    assert.deepEqual(decisionsOf(hunks), "accepted undone open");
  });

  it("are where they were when lines that were deleted across them come back", () => {
    for (const isFirstUndone of [false, true]) {
      const { document, tracker, hunks, undo } = applied([{ start: 1, end: 2, lines: ["B"] }, ...threeHunks.slice(1)]);
      if (isFirstUndone && hunks[0]) undo(hunks[0], false);
      const places = rangesOf(tracker);
      document.edit([{ range: { start: { line: 0, character: 0 }, end: { line: 8, character: 1 } }, text: "" }]);
      assert.deepEqual(document.lines, [""]);
      document.undo();
      assert.deepEqual(rangesOf(tracker), places);
    }
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
      {
        numRuns: 1_000,
        // Lines that stand elsewhere, too: what undoing the change brings back looks like a typed line taken back.
        examples: [[["bb", "a", "", ""], ["a", "bb", ""], [{ at: 0, column: 0, isDeletion: false, text: "x\ny" }]]],
      },
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
    const many = Array.from({ length: 200 }, (_, at) => ({ start: at * 90, end: at * 90 + 1, lines: [`new ${at}`] }));
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
    const hunks = many.map((edit) => newHunk(document, edit));
    replace(document, tracker, hunks, "open");
    reads = 0;
    const change = { range: { start: { line: 1, character: 0 }, end: { line: 1, character: 0 } }, text: "x\n" };
    for (let key = 0; key < 1_000; key += 1) tracker.follow([change]);
    assert.equal(reads, 0);
  });
});

const [first, second] = [{ name: "first" }, { name: "second" }];
const top = { document: first, lines: { start: 2, end: 4 } };
const removed = { document: first, lines: { start: 8, end: 8 } };
const other = { document: second, lines: { start: 5, end: 6 } };
const all = [top, removed, other];

describe("the hunk at a line", () => {
  each<[number, number], object | undefined>([
    ["is none above it", 1, 20, undefined],
    ["is the one that begins there", 2, 20, top],
    ["is the one that ends there", 3, 20, top],
    ["is none below it", 4, 20, undefined],
    ["is the one whose lines were removed before that line", 8, 20, removed],
    ["is the one whose lines were removed after the last line", 7, 8, removed],
  ]).gives((line, lineCount) => hunkAt([top, removed], line, lineCount));
});

describe("the next and the previous hunk", () => {
  type Place = Parameters<typeof hunkFrom>[2];
  each<[Place, 1 | -1], object>([
    ["go to the next one", top, 1, removed],
    ["go to the next document", removed, 1, other],
    ["go from the last one to the first", other, 1, top],
    ["go back to the one before", removed, -1, top],
    ["go from the first one to the last", top, -1, other],
    ["go back to the document before", other, -1, removed],
    ["are the first one after the cursor", { document: first, line: 0 }, 1, top],
    ["are the one after the cursor", { document: first, line: 5 }, 1, removed],
    ["are in the next document below the last one", { document: first, line: 9 }, 1, other],
    ["are the one before the cursor", { document: first, line: 5 }, -1, top],
    ["are the last of all above the first one", { document: first, line: 0 }, -1, other],
    ["are the first where the document has none", { document: {}, line: 5 }, 1, top],
    ["are the last where there is no document", { document: undefined, line: 5 }, -1, other],
  ]).gives((from, step) => hunkFrom(all, step, from));

  it("are none where there is none", () => {
    assert.equal(hunkFrom([], 1, { document: first, line: 5 }), undefined);
  });
});

/** A document with applied hunks, and what can be done to it. */
function applied(hunks = threeHunks, lines: readonly string[] = original) {
  const document = new UndoableDocument(lines);
  const tracker = new HunkTracker(document);
  const followed: ReturnType<HunkTracker["follow"]>[] = [];
  document.onChange.push((changes, reason) => followed.push(tracker.follow(changes, reason)));
  const applied = exactHunks(document.lines, hunks).map((edit) => newHunk(document, edit));
  if (applied.length > 0) replace(document, tracker, applied, "open");
  followed.length = 0;
  const type = (line: number, character: number, text: string): void => {
    document.edit([{ range: { start: { line, character }, end: { line, character } }, text }]);
  };
  const undo = (hunk: TrackedHunk, isSameStep: boolean): void => {
    replace(document, tracker, [hunk], "undone", isSameStep);
  };
  return { document, tracker, hunks: applied, followed, type, undo };
}

function replace(
  document: UndoableDocument,
  tracker: HunkTracker,
  hunks: readonly TrackedHunk[],
  decision: "open" | "undone",
  isSameStep = false,
): void {
  const { edits, done } = tracker.replacing(hunks, decision);
  document.replace(edits, isSameStep);
  done();
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

function rangesOf(tracker: HunkTracker): string {
  return tracker.open.map(({ lines }) => `${lines.start}-${lines.end}`).join(" ");
}

function decisionsOf(hunks: readonly TrackedHunk[]): string {
  return hunks.map(({ decision }) => decision).join(" ");
}

/** Follows a document, as VS Code tells of changes. */
type Listener = (changes: readonly DocumentChange[], reason?: "undo" | "redo") => void;

/** Lines with undo and redo, which tell of changes as a `TextDocument` does: the last place first. */
class UndoableDocument {
  readonly onChange: Listener[] = [];
  /** The text at first and after each undo step. */
  readonly #texts: (readonly string[])[];
  #shown = 0;

  constructor(lines: readonly string[]) {
    this.#texts = [lines];
  }

  get lines(): readonly string[] {
    return this.#texts[this.#shown] ?? [];
  }

  get lineCount(): number {
    return this.lines.length;
  }

  lineAt(line: number): { readonly text: string } {
    const text = this.lines[line];
    if (text === undefined) throw new RangeError(`There is no line ${line}.`);
    return { text };
  }

  /** Replaces whole lines at several places, in one undo step or together with the last one. */
  replace(hunks: readonly (LineRange & { readonly lines: readonly string[] })[], joins = false): void {
    const changes = hunks.map((hunk) => replaceLines(this, hunk, hunk.lines, "\n"));
    this.edit(changes.toReversed(), joins);
  }

  edit(changes: readonly DocumentChange[], joins = false): void {
    let { lines } = this;
    for (const { range, text } of changes) lines = edited(lines, range, text);
    if (!joins || this.#shown === 0) this.#shown += 1;
    this.#texts.splice(this.#shown, Infinity, lines);
    for (const listener of this.onChange) listener(changes);
  }

  undo(): boolean {
    return this.#show(this.#shown - 1, "undo");
  }

  redo(): boolean {
    return this.#show(this.#shown + 1, "redo");
  }

  #show(step: number, reason: "undo" | "redo"): boolean {
    const [before, after] = [this.lines, this.#texts[step]];
    if (!after) return false;
    this.#shown = step;
    for (const listener of this.onChange) listener(changesBetween(before, after), reason);
    return true;
  }
}

function edited(lines: readonly string[], { start, end }: DocumentChange["range"], text: string): readonly string[] {
  const head = (lines[start.line] ?? "").slice(0, start.character);
  const tail = (lines[end.line] ?? "").slice(end.character);
  return [...lines.slice(0, start.line), ...`${head}${text}${tail}`.split("\n"), ...lines.slice(end.line + 1)];
}

/** One change that covers everything that differs. */
function changesBetween(before: readonly string[], after: readonly string[]): readonly DocumentChange[] {
  const [one, other] = [before.join("\n"), after.join("\n")];
  let start = 0;
  while (start < Math.min(one.length, other.length) && one[start] === other[start]) start += 1;
  let same = 0;
  while (same < Math.min(one.length, other.length) - start && one.at(-1 - same) === other.at(-1 - same)) same += 1;
  if (one === other) return [];
  const at = (offset: number): { readonly line: number; readonly character: number } => {
    const above = one.slice(0, offset).split("\n");
    return { line: above.length - 1, character: above.at(-1)?.length ?? 0 };
  };
  return [{ range: { start: at(start), end: at(one.length - same) }, text: other.slice(start, other.length - same) }];
}
