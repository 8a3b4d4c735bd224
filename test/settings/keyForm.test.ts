import assert from "node:assert/strict";
import { findKeyFlaw, type KeyFlaw } from "../../src/settings/keyForm.ts";

describe("the form of a key", () => {
  const cases: readonly (readonly [string, KeyFlaw | undefined])[] = [
    ["sk-abc", undefined],
    ["  sk-abc\n", undefined],
    ["", "empty"],
    ["   ", "empty"],
    ["abc", "prefix"],
    ["SK-abc", "prefix"],
    ["Bearer sk-abc", "characters"],
    ["sk-", "secret"],
    ["sk-a b", "characters"],
    ["sk-a\u0000b", "characters"],
    ["sk-密钥", "characters"],
    ["sk-a\u200bb", "characters"],
  ];
  for (const [typed, flaw] of cases) {
    it(`finds ${flaw ?? "no flaw"} in ${JSON.stringify(typed)}`, () => {
      assert.equal(findKeyFlaw(typed), flaw);
    });
  }
});
