import assert from "node:assert/strict";
import { readFindings } from "../../../src/git/review/readFindings.ts";
import { each } from "../../support/each.ts";

const whole = {
  file: "src/harbor.ts",
  line: "12-14",
  kind: "bug",
  severity: "high",
  code: "  const ships = 2;",
  title: "The harbor loses a ship.",
  text: "The loop ends too early.\n\n```ts\n</findings>\n```\nIt shows with one ship.",
};
const inside = (...lines: readonly (object | string)[]): string =>
  ["<findings>", ...lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))), "</findings>"].join(
    "\n",
  );

describe("the findings in an answer", () => {
  it("are read with all their fields, code blocks included", () => {
    const { file, kind, severity, title, text } = whole;
    assert.deepEqual(readFindings(inside(whole)), {
      findings: [{ file, lines: { first: 12, last: 14 }, quote: "const ships = 2;", kind, severity, title, text }],
      others: "",
    });
  });

  const few = { file: "src/harbor.ts", line: 12, title: "Lost", text: "Why" };
  each([
    ["with a number as their line", inside(few)],
    ["with a list of lines", inside({ ...few, line: [12, 13] })],
    ["with words around the envelope", `I looked at it.\n${inside(few)}\nThat is all.`],
    ["with reasoning before", `<think>\n${inside(whole)}\n</think>\n${inside(few)}`],
    ["as a list over several lines", inside(JSON.stringify([few], null, 2))],
    ["as a list of lines that is cut off", inside("[", `${JSON.stringify(few)},`)],
    ["as a list in an object with another name", inside(JSON.stringify({ issues: [few] }, null, 2))],
    ["as an item of a list in Markdown", inside(`1. \`${JSON.stringify(few)}\``)],
    ["with a tag of its own", inside("<finding>", few, "</finding>")],
    ["without an envelope", JSON.stringify(few)],
    ["without the end of the envelope", `<findings>\r\n${JSON.stringify(few)}\r\n`],
  ]).hold((answer) => {
    const { findings, others } = readFindings(answer);
    const read = findings.map(({ file, lines, title, text }) => [file, lines?.first, title, text]);
    assert.deepEqual([read, others], [[["src/harbor.ts", 12, "Lost", "Why"]], ""]);
  });

  it("are all read, whatever is between them", () => {
    const [one, other] = [JSON.stringify(few), JSON.stringify({ ...few, line: 14 }, null, 2)];
    for (const between of ["\n", ",\n", " ", "\n- ", "\n</findings>\n<findings>\n"])
      assert.equal(readFindings(inside(other + between + one + between + other)).findings.length, 3, between);
    const { findings, others } = readFindings(`Two problems:\n\n\`\`\`json\n[${other},\n${one}]\n\`\`\`\nThat is all.`);
    assert.deepEqual([findings.length, others], [2, "Two problems:\nThat is all."]);
  });

  it("may quote code without the escapes of JSON", () => {
    const finding = (code: string): string => `{"file":"a.ts","line":3,"title":"Lost","code":"${code}"}`;
    for (const code of ["\treturn a;", String.raw`const b = /\d+\.\w/;`, String.raw`use App\Cart;`]) {
      const quotes = readFindings(inside(finding(code), few)).findings.map(({ quote }) => quote);
      assert.deepEqual(quotes, [code.trim(), ""]);
    }
    assert.equal(readFindings(inside('{"file":"a.ts","line":3,"text":"One\nTwo"}')).findings[0]?.text, "One\nTwo");
  });

  it("are text if no place or no words can be read, and nothing is lost", () => {
    const lines = ['{"file":"a.ts","title":"Nowhere"}', '{"file":"a.ts","line":3}', '{"file":"a.ts","line":', "[1]"];
    const { findings, others } = readFindings(inside(few, ...lines));
    assert.deepEqual([findings.length, others], [1, lines.join("\n")]);
    const old = "Here it is.\nFINDING\nfile: a.ts\nline: 3\ntitle: Lost\nEND";
    assert.equal(readFindings(old).others, old);
  });

  it("are none if the envelope or the list is empty, whatever is around, or if the answer says just that", () => {
    const around = "Looks good.\n<findings></findings>\nWell done.";
    for (const answer of [inside(), inside({ findings: [] }), around, "[]", "**No findings.**\n"])
      assert.deepEqual(readFindings(answer), { findings: [], others: "" });
    const words = "Looks good to me.\nNO FINDINGS";
    assert.equal(readFindings(words).others, words);
  });

  it("are at most 50, of limited length, and the rest is text", () => {
    const long = { ...few, code: "c".repeat(1_500), title: "t".repeat(900), text: "x\n".repeat(3_000) };
    const { findings, others } = readFindings(inside(long, ...Array.from({ length: 59 }, () => few)));
    assert.deepEqual([findings.length, others.split("\n").length], [50, 10]);
    const [first] = findings;
    assert.deepEqual([first?.title.length, first?.quote.length, first?.text.length], [200, 1_000, 3_000]);
  });

  each([
    ["know a kind and a severity from their lists", "High", "BUG", ["high", "bug"]],
    ["are no bug where the kind only has that word", "low", "improvement, not a bug", ["low", "improvement"]],
    ["are improvements of medium severity in doubt", "?", "", ["medium", "improvement"]],
  ]).gives((severity, kind) =>
    readFindings(inside({ ...few, severity, kind })).findings.flatMap((finding) => [finding.severity, finding.kind]),
  );
});
