import assert from "node:assert/strict";
import { escapeMarkdown } from "../../src/text/escapeMarkdown.ts";

describe("foreign text as Markdown", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    [
      "keeps plain words as they are",
      "Too many requests (429). Wait, then ask.",
      "Too many requests (429). Wait, then ask.",
    ],
    ["has no emphasis and no code", "a *b* _c_ ~~d~~ `e`", "a \\*b\\* \\_c\\_ \\~\\~d\\~\\~ \\`e\\`"],
    ["loads no image", "![x][y]", "\\!\\[x\\]\\[y\\]"],
    ["is no HTML", "<img src=x> &lt;", "\\<img src=x\\> \\&lt;"],
    ["has no icon", "$(sync~spin)", "\\$(sync\\~spin)"],
    [
      "links to nothing",
      "https://x.example me@x.example WWW.x.example",
      "https\\://x.example me\\@x.example WWW\\.x.example",
    ],
    ["shows its backslashes", "\\*", "\\\\\\*"],
  ];
  for (const [title, text, expected] of cases) {
    it(title, () => {
      assert.equal(escapeMarkdown(text), expected);
    });
  }
});
