import assert from "node:assert/strict";
import fc from "fast-check";
import { parseJson } from "../../src/base/json.ts";

describe("untrusted JSON", () => {
  it("is read as JSON.parse does", () => {
    const property = fc.property(fc.json({ maxDepth: 8 }), (text) => {
      const padded = `[${text},${JSON.stringify('\\"[{'.repeat(400))}]`;
      assert.deepEqual(parseJson(padded), JSON.parse(padded));
    });
    fc.assert(property, { seed: 3, numRuns: 200 });
  });

  it("is not parsed beyond the maximum depth", () => {
    for (const [open, close] of Object.entries({ "[": "]", '{"a":': "}" })) {
      const deep = `{"code":"x","d":${open.repeat(200_000)}1${close.repeat(200_000)},"e":"]"}`;
      assert.equal(parseJson(deep), undefined);
    }
  });

  it("is parsed up to a depth of 1,000 and a million values, with any brackets and commas in strings", () => {
    const nested = (depth: number, value: string): string => "[".repeat(depth) + value + "]".repeat(depth);
    const zeros = (values: number): string => `[${"0,".repeat(values - 2)}0]`;
    const strings = [`"${"[".repeat(2_000)}"`, `"\\"${"{".repeat(2_000)}\\\\"`, `["${",".repeat(1_000_001)}"]`];
    for (const text of [nested(1_000, "1"), zeros(1_000_000), ...strings]) assert.notEqual(parseJson(text), undefined);
    for (const text of [nested(1_001, "1"), zeros(1_000_002)]) assert.equal(parseJson(text), undefined);
  });

  it("is rejected quickly if it has too many values", () => {
    for (const text of ["[[],".repeat(4 << 20), `[${"[],".repeat(4 << 20)}[]]`, `[${"0,".repeat(4 << 20)}0]`]) {
      const before = process.memoryUsage().heapUsed;
      assert.equal(parseJson(text), undefined);
      assert.ok(process.memoryUsage().heapUsed - before < 50 << 20);
    }
  });
});
