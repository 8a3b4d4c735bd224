import assert from "node:assert/strict";
import { quote } from "../../src/text/safeText.ts";

describe("words of others in a notification", () => {
  const cases: readonly (readonly [string, string, string])[] = [
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
    ["are bounded without cutting a character in two", "😀".repeat(300), "😀".repeat(200) + "…"],
  ];
  for (const [title, words, expected] of cases) {
    it(title, () => {
      assert.equal(quote(words), expected);
    });
  }
});
