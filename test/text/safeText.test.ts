import assert from "node:assert/strict";
import fc from "fast-check";
import { parse } from "marked";
import { escapeMarkdown, quote } from "../../src/text/safeText.ts";
import { each } from "../support/each.ts";

describe("untrusted text in a notification", () => {
  each([
    ["stay as they are", "Unknown field: tools", "Unknown field: tools"],
    ["become one line", "a\r\n\tb  c", "a b c"],
    ["lose what nobody sees", "a\u0007\u202eb\u{e0041}c\u3164d\ufe0fe", "a b c d e"],
    ["never show a key, but what is around it", '<b>sk-abc123</b> "sk-abc123": check', '<b>sk-…</b> "sk-…": check'],
    ["show no part of a key that an unseen character splits", "sk-abc\u200bdef\u0007ghi", "sk-…"],
    ["show no part of a key at the end of what is shown", `${"a".repeat(195)} sk-abcdef`, `${"a".repeat(195)} sk-…`],
    ["make no link", "[click](command:evil)", "[click] (command:evil)"],
    ["make no icon", "$(pass) $(sync~spin) $5", "$ (pass) $ (sync~spin) $5"],
    ["are read only so far", `a${"\u200b".repeat(8_000_000)}`, "a"],
    ["are bounded without cutting a character in two", "😀".repeat(300), "😀".repeat(200) + "…"],
  ]).gives(quote);
});

describe("untrusted text as Markdown", () => {
  it("is shown as it is, by the renderer that VS Code has", () => {
    const printable = Array.from({ length: 0x5f }, (_, index) => String.fromCharCode(index + 0x20));
    const lines = fc.string({ unit: fc.constantFrom(...printable, "é", "密") }).map((line) => line.trim());
    const marks = ["a *b* _c_ ~~d~~ `e`", "![x][y]", "<img src=x> &lt;", "\\*", "1. - > #"];
    const special = [...marks, "https://x.example me@x.example"];
    fc.assert(
      fc.property(lines, (line) => {
        fc.pre(line !== "");
        assert.equal(parse(escapeMarkdown(line), { async: false }), `<p>${asHtml(line)}</p>\n`);
      }),
      { numRuns: 1_000, seed: 7, examples: special.map((line) => [line]) },
    );
  });
});

function asHtml(line: string): string {
  const entities: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "#39" };
  return line.replace(/[&<>"']/g, (character) => `&${entities[character] ?? ""};`);
}
