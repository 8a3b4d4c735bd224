import assert from "node:assert/strict";
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
    ["is located on the line that it names", at(3), [3, 3]],
    ["is located on the lines that it names", { ...at(3, 4), quote: "let a = 1;" }, [3, 4]],
    ["is located from the line that it quotes", { ...at(3, 4), quote: "let b = 2;" }, [4, 4]],
    ["is located on the lines that exist", { ...at(3, 99), quote: "let a = 1;" }, [3, 7]],
    ["moves to the only line that has the code it quotes", { ...at(6), quote: "  let a   = 1; " }, [3, 3]],
    ["needs no line beside the code it quotes", { quote: "let b = 2;" }, [4, 4]],
    ["may quote the code as a diff has it", { ...at(99), quote: "4|+let b = 2;" }, [4, 4]],
    ["may quote the beginning of a line that was cut", { ...at(4), quote: "4|+let b = 2…" }, [4, 4]],
    ["may cut the quotation itself", { ...at(4), quote: "let b = 2..." }, [4, 4]],
    ["may quote the code in backticks", { ...at(3), quote: "`let b = 2;`" }, [4, 4]],
  ]).gives(linesOf);

  it("is not located where the code it quotes is missing or ambiguous", () => {
    for (const quote of ["let d = 4;", "}"]) assert.equal(linesOf({ ...at(3), quote }), undefined);
    const twice = [...code, "let a = 1;"];
    assert.equal(linesOf({ ...at(4), quote: "let a = 1;" }, shown(twice), twice), undefined);
    assert.equal(linesOf({}), undefined);
  });

  it("is not located on lines that do not exist or were not sent", () => {
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
    const twice = ["let a = 1;", "", "", "let a = 1;"];
    assert.deepEqual(linesOf(at(2), shown(["", "let a = 1;"], 2), twice), [1, 1], "the nearest of two");
    const changed = code.with(2, "let a = 100;");
    assert.equal(linesOf(at(3), shown(code), changed), undefined);
    assert.deepEqual(linesOf(at(4), shown(code), changed), [4, 4]);
    // It may be either of the two brackets.
    assert.equal(linesOf(at(5), shown(code), changed), undefined);
    const file = shown(["let a = 1;", "let b = 2;"]);
    assert.deepEqual(linesOf(at(1), file, ["\uFEFFlet a = 1;", "let b = 2;\f"]), [1, 1]);
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
    const { located, unlocated } = locateFindings(findings, [...texts.keys()], texts);
    assert.equal(located.map(({ title }) => title).join(""), "53421");
    assert.equal(unlocated.map(({ title }) => title).join(""), "6");
  });
});
