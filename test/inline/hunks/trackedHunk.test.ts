import assert from "node:assert/strict";
import { hunkAt, hunkFrom } from "../../../src/inline/hunks/trackedHunk.ts";

const [first, second] = [{ name: "first" }, { name: "second" }];
const top = { document: first, hunk: { lines: { start: 2, end: 4 } } };
const removed = { document: first, hunk: { lines: { start: 8, end: 8 } } };
const other = { document: second, hunk: { lines: { start: 5, end: 6 } } };
const all = [top, removed, other];

describe("the hunk at a line", () => {
  const cases: readonly (readonly [string, number, number, object | undefined])[] = [
    ["is none above it", 1, 20, undefined],
    ["is the one that begins there", 2, 20, top],
    ["is the one that ends there", 3, 20, top],
    ["is none below it", 4, 20, undefined],
    ["is the one whose lines were removed before that line", 8, 20, removed],
    ["is the one whose lines were removed after the last line", 7, 8, removed],
  ];
  for (const [title, line, lineCount, expected] of cases) {
    it(title, () => {
      assert.equal(hunkAt([top, removed], line, lineCount), expected);
    });
  }
});

describe("the next and the previous hunk", () => {
  it("go round, through all documents", () => {
    assert.deepEqual(
      all.map((one) => hunkFrom(all, 1, one)),
      [removed, other, top],
    );
    assert.deepEqual(
      all.map((one) => hunkFrom(all, -1, one)),
      [other, top, removed],
    );
  });

  it("are those around the cursor", () => {
    assert.equal(hunkFrom(all, 1, { document: first, line: 0 }), top);
    assert.equal(hunkFrom(all, 1, { document: first, line: 5 }), removed);
    assert.equal(hunkFrom(all, 1, { document: first, line: 9 }), other);
    assert.equal(hunkFrom(all, -1, { document: first, line: 5 }), top);
    assert.equal(hunkFrom(all, -1, { document: first, line: 0 }), other);
  });

  it("are the first and the last where the document has none", () => {
    assert.equal(hunkFrom(all, 1, { document: {}, line: 5 }), top);
    assert.equal(hunkFrom(all, -1, { document: undefined, line: 5 }), other);
    assert.equal(hunkFrom([], 1, { document: first, line: 5 }), undefined);
  });
});
