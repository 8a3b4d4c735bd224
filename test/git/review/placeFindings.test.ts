import assert from "node:assert/strict";
import fc from "fast-check";
import type { ReportedFinding } from "../../../src/git/review/readFindings.ts";
import {
  placeFindings,
  type PlacedFindings,
  type ShownFile,
  type ShownLine,
} from "../../../src/git/review/placeFindings.ts";

const plain: ReportedFinding = {
  file: "a.ts",
  lines: undefined,
  quote: "",
  kind: "improvement",
  severity: "medium",
  title: "t",
  text: "",
};

/** A file of which the model has seen the lines from `first` to `last`, from 1. */
function shown(lines: readonly string[], first = 1, last = lines.length, path = "a.ts"): ShownFile {
  const hunk = lines.slice(first - 1, last).map((raw, index): ShownLine => ({ number: first + index, raw, sent: raw }));
  return { path, name: path, hunks: [hunk] };
}

function place(finding: Partial<ReportedFinding>, file: ShownFile, text: readonly string[]): PlacedFindings {
  return placeFindings([{ ...plain, ...finding }], [file], new Map([[file, text]]));
}

/** The lines that a finding is placed on, from 1. */
function linesOf(finding: Partial<ReportedFinding>, file: ShownFile, text: readonly string[]): unknown {
  const [placed] = place(finding, file, text).placed;
  return placed && [placed.place.start + 1, placed.place.end];
}

const at = (first: number, last = first): Pick<ReportedFinding, "lines"> => ({ lines: { first, last } });
const code = ["import x", "", "let a = 1;", "let b = 2;", "}", "let c = 3;", "}"];

describe("a finding of a review", () => {
  it("is placed on the lines that it names", () => {
    assert.deepEqual(linesOf(at(3), shown(code), code), [3, 3]);
    assert.deepEqual(linesOf({ ...at(3, 4), quote: "let a = 1;" }, shown(code), code), [3, 4]);
    assert.deepEqual(linesOf({ ...at(3, 99), quote: "let a = 1;" }, shown(code), code), [3, 7]);
  });

  it("moves to the only line that has the code it quotes", () => {
    assert.deepEqual(linesOf({ ...at(6), quote: "  let a   = 1; " }, shown(code), code), [3, 3]);
    assert.deepEqual(linesOf({ quote: "let b = 2;" }, shown(code), code), [4, 4]);
    assert.deepEqual(linesOf({ ...at(99), quote: "4|+let b = 2;" }, shown(code), code), [4, 4]);
  });

  it("has no place where the code it quotes is not there, or in doubt", () => {
    assert.equal(linesOf({ ...at(3), quote: "let d = 4;" }, shown(code), code), undefined);
    assert.equal(linesOf({ ...at(3), quote: "}" }, shown(code), code), undefined);
    const twice = [...code, "let a = 1;"];
    assert.equal(linesOf({ ...at(4), quote: "let a = 1;" }, shown(twice), twice), undefined);
    assert.equal(linesOf({}, shown(code), code), undefined);
  });

  it("has no place on lines that do not exist, or that the model has not seen", () => {
    assert.equal(linesOf(at(0), shown(code), code), undefined);
    assert.equal(linesOf(at(8), shown(code), code), undefined);
    assert.equal(linesOf(at(1), shown(code, 3, 5), code), undefined);
    assert.equal(linesOf({ ...at(3), file: "b.ts" }, shown(code), code), undefined);
    assert.equal(linesOf({ ...at(3), file: "../a.ts" }, shown(code), code), undefined);
  });

  it("names its file as a diff does, or in quotation marks", () => {
    for (const file of ["./a.ts", "b/a.ts"]) assert.deepEqual(linesOf({ ...at(3), file }, shown(code), code), [3, 3]);
    const quoted: ShownFile = { ...shown(code, 1, 7, "码头.ts"), name: '"码头.ts"' };
    for (const file of ["码头.ts", '"码头.ts"']) assert.deepEqual(linesOf({ ...at(3), file }, quoted, code), [3, 3]);
  });

  it("follows its lines where the working file is not the one that was staged", () => {
    const moved = ["// new", "// lines", ...code];
    assert.deepEqual(linesOf(at(5), shown(code), moved), [7, 7]);
    const changed = code.with(2, "let a = 100;");
    assert.equal(linesOf(at(3), shown(code), changed), undefined);
    assert.deepEqual(linesOf(at(4), shown(code), changed), [4, 4]);
    // Which of the two brackets it is cannot be told any more.
    assert.equal(linesOf(at(5), shown(code), changed), undefined);
  });

  it("is compared without what a diff leaves out", () => {
    const file = shown(["\uFEFFlet a = 1;", "let b = 2;"]);
    assert.deepEqual(linesOf(at(1), file, ["let a = 1;", "let b = 2;\f"]), [1, 1]);
  });

  it("comes before others if it is a bug, or more severe", () => {
    const file = shown(code);
    const other = shown(code, 1, 7, "b.ts");
    const findings: readonly ReportedFinding[] = [
      { ...plain, ...at(4), severity: "high", title: "1" },
      { ...plain, ...at(4), kind: "bug", severity: "low", title: "2" },
      { ...plain, ...at(6), kind: "bug", severity: "high", title: "3" },
      { ...plain, ...at(1), kind: "bug", severity: "high", title: "4", file: "b.ts" },
      { ...plain, ...at(3), kind: "bug", severity: "high", title: "5" },
      { ...plain, ...at(77), title: "6" },
    ];
    const texts = new Map([file, other].map((one) => [one, code] as const));
    const { placed, unplaced } = placeFindings(findings, [...texts.keys()], texts);
    assert.equal(placed.map(({ title }) => title).join(""), "53421");
    assert.deepEqual(
      unplaced.map(({ title }) => title),
      ["6"],
    );
  });

  it("is never on a line whose code is not what it quotes, nor on one that the model has not seen", () => {
    const line = fc.constantFrom("a = 1", "b = 2", "}", "", "  a = 1", "return", "long enough to be a part");
    const texts = fc.array(line, { minLength: 1, maxLength: 12 });
    const edits = fc.array(fc.tuple(fc.nat(12), fc.nat(2), fc.array(line, { maxLength: 2 })), { maxLength: 3 });
    const where = fc.record({ first: fc.integer({ min: 0, max: 15 }), length: fc.nat(4) });
    const quote = fc.oneof(line, fc.constantFrom("enough to be", "nowhere", "+a = 1"));
    fc.assert(
      fc.property(texts, edits, fc.nat(11), where, quote, (seen, changes, from, { first, length }, words) => {
        const now = changes.reduce((text, [index, gone, added]) => text.toSpliced(index, gone, ...added), seen);
        const file = shown(seen, Math.min(from + 1, seen.length));
        const [placed] = place({ ...at(first, first + length), quote: words }, file, now).placed;
        if (!placed) return;
        const compact = (text: string): string => text.replace(/\s+/g, " ").trim();
        const { start, end } = placed.place;
        const code = compact(now[start] ?? "not there");
        const said = compact(words.replace(/^\+/, ""));
        assert.ok(said === "" || code === said || (said.length >= 8 && code.includes(said)), `${code}: ${said}`);
        assert.ok(start < end && end <= now.length);
        const sent = new Set(file.hunks.flat().map(({ raw }) => raw));
        for (const text of now.slice(start, end)) assert.ok(sent.has(text), text);
      }),
      { numRuns: 2_000 },
    );
  });
});
