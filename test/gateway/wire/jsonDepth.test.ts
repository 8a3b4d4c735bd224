import assert from "node:assert/strict";
import { withoutDepths } from "../../../src/gateway/wire/jsonDepth.ts";

describe("deep JSON", () => {
  const nested = (depth: number, value: string): string => "[".repeat(depth) + value + "]".repeat(depth);

  it("is the same up to a depth of 1,000", () => {
    const text = nested(1_000, '"value"');
    assert.equal(withoutDepths(text), text);
  });

  it("has null for what is deeper, and all that follows", () => {
    assert.equal(withoutDepths(nested(1_001, "1")), nested(1_000, "null"));
    assert.equal(withoutDepths(nested(999, '[[{"a":[1]}],2,{"b":{}}]')), nested(999, "[null,2,null]"));
    assert.equal(withoutDepths(`[${nested(1_005, "1")},"after"]`), `[${nested(999, "null")},"after"]`);
  });

  it("is cut where it breaks off in the depth", () => {
    assert.equal(withoutDepths("[".repeat(2_000)), `${"[".repeat(1_000)}null`);
  });

  it("takes no brackets, commas or escaped quotes in strings for its own", () => {
    const strings = ['"' + "[".repeat(2_000) + '"', '"\\"' + "{".repeat(2_000) + '\\\\"', '"' + "]".repeat(2_000)];
    for (const text of strings) assert.equal(withoutDepths(text), text);
    const tricky = nested(1_000, String.raw`"a\\\"]]" , ["\\", 1]`);
    assert.equal(withoutDepths(tricky), nested(1_000, String.raw`"a\\\"]]" , null`));
    const commas = `["${",".repeat(1_000_001)}"]`;
    assert.equal(withoutDepths(commas), commas);
  });

  it("is nothing with more than a million values", () => {
    const list = (values: number): string => `[${"0,".repeat(values - 1)}0]`;
    assert.equal(withoutDepths(list(1_000_000)), list(1_000_000));
    assert.equal(withoutDepths(list(1_000_001)), undefined);
    assert.equal(withoutDepths("[{}],".repeat(400_000)), undefined);
  });
});
