import assert from "node:assert/strict";
import fc from "fast-check";
import { lexer, type Token, walkTokens } from "marked";
import { escapeMarkdown, quote } from "../../src/text/safeText.ts";
import { each } from "../support/each.ts";

describe("untrusted text in a notification", () => {
  each([
    ["stay as they are", "Unknown field: tools", "Unknown field: tools"],
    ["become one line", "a\r\n\tb  c", "a b c"],
    ["lose control and direction characters", "a\u0007\u202eb", "a b"],
    ["never show a key", 'Incorrect key "sk-abc123": check', 'Incorrect key "sk-…": check'],
    ["lose what nobody sees", "a\u200bb\u{e0041}c\u3164d\ufe0fe", "a b c d e"],
    ["show no part of a key that an unseen character splits", "sk-abc\u200bdef\u0007ghi", "sk-…"],
    ["show no part of a key at the end of what is shown", `${"a".repeat(195)} sk-abcdef`, `${"a".repeat(195)} sk-…`],
    ["keep what stands around a key", "<b>sk-abc123</b>", "<b>sk-…</b>"],
    ["make no link", "[click](command:evil)", "[click] (command:evil)"],
    ["make no icon", "$(pass) $(sync~spin) $5", "$ (pass) $ (sync~spin) $5"],
    ["make no link or icon around what nobody sees", "[a]\u200b(command:evil) $\u200b(x)", "[a] (command:evil) $ (x)"],
    ["are read only so far", `a${"\u200b".repeat(8_000_000)}`, "a"],
    ["are bounded without cutting a character in two", "😀".repeat(300), "😀".repeat(200) + "…"],
  ]).gives(quote);
});

describe("untrusted text as Markdown", () => {
  each([
    ["keep their punctuation", "Too many requests (429). Wait, then ask.", true],
    ["have no emphasis and no code", "a *b* _c_ ~~d~~ `e`", true],
    ["load no image", "![x][y]", true],
    ["are no HTML", "<img src=x> &lt;", true],
    ["link to nothing", "https://x.example me@x.example WWW.x.example", true],
    ["show their backslashes", "\\*", true],
    ["begin no list, quote or heading", "1. - > # a", true],
  ]).gives((words) => shownBy(escapeMarkdown(words)) === words);

  it("is shown as it is", () => {
    const codes = Array.from({ length: 0x5f }, (_, index) => index + 0x20);
    const printable = codes.map((code) => String.fromCharCode(code));
    const words = fc.string({ unit: fc.constantFrom(...printable, "é", "密") });
    fc.assert(
      fc.property(words, (line) => {
        assert.equal(shownBy(escapeMarkdown(line.trim())), line.trim());
      }),
      { numRuns: 1_000, seed: 7 },
    );
  });
});

/** The text that Markdown shows, by the renderer that VS Code has; anything but words is named instead. */
function shownBy(markdown: string): string {
  const tokens: Token[] = [];
  void walkTokens(lexer(markdown), (token) => {
    tokens.push(token);
  });
  return tokens
    .filter(({ type }) => type !== "paragraph")
    .map((token) =>
      token.type === "text" || token.type === "escape" ? withoutEntities(String(token.text)) : token.type,
    )
    .join("");
}

const characters: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&#39;": "'",
  "&apos;": "'",
};
const entities = new RegExp(Object.keys(characters).join("|"), "g");

/** The text with characters in place of the entities that programs usually escape them with. */
function withoutEntities(text: string): string {
  return text.replace(entities, (entity) => characters[entity] ?? entity);
}
