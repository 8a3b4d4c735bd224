import assert from "node:assert/strict";
import fc from "fast-check";
import { readFindings } from "../../../src/git/review/readFindings.ts";
import { assertLinear } from "../../support/assertLinear.ts";
import { each } from "../../support/each.ts";

const whole = [
  "FINDING",
  "file: src/harbor.ts",
  "line: 12-14",
  "kind: bug",
  "severity: high",
  "code: const ships = 2;",
  "title: The harbor loses a ship.",
  "text: The loop ends too early.",
  "",
  "```ts",
  "END",
  "```",
  "It shows with one ship.",
  "END",
].join("\n");

describe("the findings in an answer", () => {
  it("are read with all their fields, code blocks included", () => {
    const { findings, others, saysNone } = readFindings(whole);
    assert.deepEqual(findings, [
      {
        file: "src/harbor.ts",
        lines: { first: 12, last: 14 },
        quote: "const ships = 2;",
        kind: "bug",
        severity: "high",
        title: "The harbor loses a ship.",
        text: "The loop ends too early.\n\n```ts\nEND\n```\nIt shows with one ship.",
      },
    ]);
    assert.deepEqual(others, []);
    assert.equal(saysNone, false);
  });

  each([
    [
      "decorated",
      "### FINDING 1\n- **File:** `src/harbor.ts`\n- **Line:** 12\n- **Title:** Lost\n- **Text:** Why\nEND",
    ],
    ["with the line in the path", "FINDING\nfile: src/harbor.ts:12\ntitle: Lost\ntext: Why"],
    ["with a link to the line", "FINDING\nfile: src/harbor.ts#L12\ntitle: Lost\ntext: Why"],
    ["without marks", "file: src/harbor.ts\nline: 12\ntitle: Lost\ntext: Why"],
    ["in a block of code", "```\nFINDING\nfile: src/harbor.ts\nline: 12\ntitle: Lost\ntext: Why\nEND\n```"],
    ["with full-width colons", "FINDING\r\nfile：src/harbor.ts\r\nline：L12\r\ntitle：Lost\r\ntext：Why\r\nEND"],
  ]).hold((answer) => {
    const { findings, others } = readFindings(answer);
    const read = findings.map(({ file, lines, title, text }) => [file, lines?.first, title, text]);
    assert.deepEqual([read, others], [[["src/harbor.ts", 12, "Lost", "Why"]], []]);
  });

  it("are several, also if one does not end, and keep words that look like fields in the text", () => {
    const answer = [whole, whole.replace(/END$/, ""), "file: b.ts\nline: 1\ntitle: More\ntext: x"].join("\n");
    const files = readFindings(answer).findings.map(({ file }) => file);
    assert.deepEqual(files, ["src/harbor.ts", "src/harbor.ts", "b.ts"]);
    const { findings } = readFindings("FINDING\nfile: a.ts\nline: 1\ntitle: One\ntext: See\nfile: b.ts\nkind: of\nEND");
    assert.equal(findings[0]?.text, "See\nfile: b.ts\nkind: of");
  });

  it("are text if no place or no words can be read, and nothing is lost", () => {
    const { findings, others } = readFindings(
      "Here is my review.\nFINDING\nfile: a.ts\ntitle: Nowhere\nEND\nFINDING\nfile: a.ts\nline: 3\nEND\n[1, 2]",
    );
    assert.deepEqual(findings, []);
    assert.deepEqual(others, ["Here is my review.", "file: a.ts\ntitle: Nowhere", "file: a.ts\nline: 3", "[1, 2]"]);
  });

  each([
    ["are none if the answer says just that", "NO FINDINGS", true],
    ["are none if the answer decorates just that", "\n**No findings.**\n", true],
    ["are not said to be none by silence", "", false],
    ["are not none where there are some", `NO FINDINGS\n${whole}`, false],
    ["are not none where there are other words", "Looks good to me.\nNO FINDINGS", false],
  ]).gives((answer) => readFindings(answer).saysNone);

  it("are at most 50, of limited length, and the rest is counted", () => {
    const long = `FINDING\nfile: a.ts\nline: 1\ncode: ${"c".repeat(1_500)}\ntitle: ${"t".repeat(900)}\ntext: x\nEND\n`;
    const { findings, left } = readFindings(
      long.repeat(30) + "FINDING\nfile: a.ts\nline: 1\ntitle: a\nEND\n".repeat(30),
    );
    assert.equal(findings.length, 50);
    assert.equal(left, 10);
    assert.equal(findings[0]?.title.length, 200);
    assert.equal(findings[0].quote.length, 1_000);
    const endless = readFindings(`FINDING\nfile: a.ts\nline: 1\ntitle: a\ntext: ${"x\n".repeat(20_000)}`).findings[0];
    assert.equal(endless?.text.length, 3_000);
  });

  each([
    ["know a high severity and a bug in other words", "Critical", "Security", ["high", "bug"]],
    ["know a low severity and an improvement in other words", "**low**", "suggestion", ["low", "improvement"]],
    ["are improvements of medium severity in doubt", "?", "", ["medium", "improvement"]],
  ]).gives((severity, kind) => {
    const answer = `FINDING\nfile: a\nline: 1\nkind: ${kind}\nseverity: ${severity}\ntitle: t\nEND`;
    return readFindings(answer).findings.flatMap((finding) => [finding.severity, finding.kind]);
  });

  it("have a file, words, and a line or code, whatever the answer is", () => {
    const piece = fc.oneof(
      fc.constantFrom("FINDING", "END", "NO FINDINGS", "file: a.ts", "line: 1", "title: t", "text: x", "```", "**", ""),
      fc.string({ maxLength: 30 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        for (const { file, title, lines, quote } of readFindings(pieces.join("\n")).findings) {
          assert.ok(file !== "" && title !== "" && (lines !== undefined || quote !== ""));
        }
      }),
    );
  });

  it("are read in linear time", () => {
    for (const unit of ["FINDING\n", "file: a\n", "*", " ", "text: x\n", "code: `"]) {
      assertLinear((size) => {
        readFindings(unit.repeat(size / unit.length));
        readFindings(`file: ${unit.repeat(size / unit.length)}\nline: 1\ntitle: t`);
      }, 45_000);
    }
  });
});
