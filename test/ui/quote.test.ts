import assert from "node:assert/strict";
import { quote } from "../../src/ui/quote.ts";

describe("words of others in a notification", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ["stay as they are", "Unknown field: tools", "Unknown field: tools"],
    ["become one line", "a\r\n\tb  c", "a b c"],
    ["lose control and direction characters", "a\u0007\u202eb", "a b"],
    ["never show a key", 'Incorrect key "sk-abc123": check', 'Incorrect key "sk-…": check'],
    ["keep what stands around a key", "<b>sk-abc123</b>", "<b>sk-…</b>"],
    ["make no link", "[click](command:evil)", "[click] (command:evil)"],
    ["are bounded without cutting a character in two", "😀".repeat(300), "😀".repeat(200) + "…"],
  ];
  for (const [title, words, expected] of cases) {
    it(title, () => {
      assert.equal(quote(words), expected);
    });
  }
});
