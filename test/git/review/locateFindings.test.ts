import assert from "node:assert/strict";
import fc from "fast-check";
import { each } from "../../support/each.ts";
import type { ReportedFinding } from "../../../src/git/review/readFindings.ts";
import {
  compact,
  locateFindings,
  type LocatedFindings,
  type SentFile,
} from "../../../src/git/review/locateFindings.ts";

const words = { quote: "", title: "t", text: "" };
const plain: ReportedFinding = { file: "a.ts", lines: undefined, kind: "improvement", severity: "medium", ...words };

/** A file of which the lines from `first` to `last` were sent, from 1. */
function shown(lines: readonly string[], first = 1, last = lines.length, path = "a.ts"): SentFile {
  const seen = lines.slice(first - 1, last);
  return {
    path,
    name: path,
    hunks: [seen.map((text, index) => ({ number: first + index, text, code: compact(text) }))],
  };
}

function locate(finding: Partial<ReportedFinding>, file: SentFile, text: readonly string[]): LocatedFindings {
  return locateFindings([{ ...plain, ...finding }], [file], new Map([[file, text]]));
}

/** The lines of a finding, from 1. */
function linesOf(finding: Partial<ReportedFinding>, file = shown(code), text: readonly string[] = code): unknown {
  const [located] = locate(finding, file, text).located;
  return located && [located.lineRange.start + 1, located.lineRange.end];
}

const at = (first: number, last = first): Pick<ReportedFinding, "lines"> => ({ lines: { first, last } });
const code = ["import x", "", "let a = 1;", "let b = 2;", "}", "let c = 3;", "}"];

describe("a finding of a review", () => {
  each<[Partial<ReportedFinding>], readonly number[]>([
    ["is located on the lines that it names", { ...at(3, 4), quote: "let a = 1;" }, [3, 4]],
    ["is located on the lines that exist", { ...at(3, 99), quote: "let a = 1;" }, [3, 7]],
    ["moves to the only line that has the code it quotes", { ...at(6), quote: "  let a   = 1; " }, [3, 3]],
    ["may quote the code as a diff has it", { ...at(99), quote: "4|+let b = 2;" }, [4, 4]],
  ]).gives(linesOf);

  it("is not located where the code it quotes is missing or ambiguous, or on lines that were not sent", () => {
    for (const quote of ["let d = 4;", "}"]) assert.equal(linesOf({ ...at(3), quote }), undefined);
    assert.equal(linesOf({}), undefined);
    for (const line of [0, 8]) assert.equal(linesOf(at(line)), undefined);
    assert.equal(linesOf(at(1), shown(code, 3, 5)), undefined);
    for (const file of ["b.ts", "../a.ts"]) assert.equal(linesOf({ ...at(3), file }), undefined);
  });

  it("names its file as a diff does, or in quotation marks", () => {
    for (const file of ["./a.ts", "b/a.ts"]) assert.deepEqual(linesOf({ ...at(3), file }), [3, 3]);
    const quoted: SentFile = { ...shown(code, 1, 7, "码头.ts"), name: '"码头.ts"' };
    for (const file of ["码头.ts", '"码头.ts"']) assert.deepEqual(linesOf({ ...at(3), file }, quoted), [3, 3]);
  });

  it("moves with its lines where the working file is not as it was staged, ignoring marks that diffs do not show", () => {
    const moved = ["// new", "// lines", ...code];
    assert.deepEqual(linesOf(at(5), shown(code), moved), [7, 7]);
    const twice = [...code, ...code];
    assert.deepEqual(linesOf(at(10), shown(twice, 8), ["// new", ...twice]), [11, 11], "the nearest of two");
    const changed = code.with(2, "let a = 100;");
    // The fifth may be either of the two brackets.
    const found = [3, 4, 5].map((line) => linesOf(at(line), shown(code), changed));
    assert.deepEqual(found, [undefined, [4, 4], undefined]);
    const file = shown(["let a = 1;", "let b = 2;"]);
    assert.deepEqual(linesOf(at(1), file, ["\uFEFFlet a = 1;", "let b = 2;\f"]), [1, 1]);
  });

  it("comes before others if it is a bug, or more severe", () => {
    const severe = { ...plain, severity: "high" } as const;
    const findings: readonly ReportedFinding[] = [
      { ...severe, ...at(4), title: "1" },
      { ...plain, ...at(4), kind: "bug", severity: "low", title: "2" },
      { ...severe, ...at(6), kind: "bug", title: "3" },
      { ...severe, ...at(1), kind: "bug", title: "4", file: "b.ts" },
      { ...severe, ...at(3), kind: "bug", title: "5" },
    ];
    const texts = new Map([shown(code), shown(code, 1, 7, "b.ts")].map((one) => [one, code] as const));
    const { located } = locateFindings(findings, [...texts.keys()], texts);
    assert.equal(located.map(({ title }) => title).join(""), "53421");
  });

  it("is never located on a line with other code than it quotes, nor on one that was not sent", () => {
    const line = fc.constantFrom("a = 1", "b = 2", "}", "", "  a = 1", "return", "long enough to be a part");
    const texts = fc.array(line, { minLength: 1, maxLength: 12 });
    const quote = fc.oneof(line, fc.constantFrom("enough to be", "nowhere", "+a = 1"));
    fc.assert(
      fc.property(texts, texts, fc.nat(11), fc.nat(15), fc.nat(4), quote, (seen, more, from, first, length, words) => {
        const now = seen.toSpliced(from, length, ...more.slice(0, 3));
        const file = shown(seen, Math.min(from + 1, seen.length));
        const [located] = locate({ ...at(first, first + length), quote: words }, file, now).located;
        if (!located) return;
        const { start, end } = located.lineRange;
        const code = compact(now[start] ?? "not there");
        const said = compact(words.replace(/^\+/, ""));
        assert.ok(said === "" || code === said || (said.length >= 8 && code.includes(said)), `${code}: ${said}`);
        assert.ok(start < end && end <= now.length);
        const sent = new Set(file.hunks.flat().map(({ text }) => text));
        for (const text of now.slice(start, end)) assert.ok(sent.has(text), text);
      }),
      { numRuns: 2_000 },
    );
  });
});
