import assert from "node:assert/strict";
import { estimateTokens } from "../../src/gateway/tokens.ts";

describe("the estimate of tokens", () => {
  const cases = [
    ["", 0],
    ["a", 1],
    ["export const x = 1;", 5],
    ["你好，世界", 4],
  ] as const;
  for (const [text, tokens] of cases) {
    it(`is ${tokens} for ${JSON.stringify(text)}`, () => {
      assert.equal(estimateTokens(text), tokens);
    });
  }
});
