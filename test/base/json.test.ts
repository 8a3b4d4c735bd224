import assert from "node:assert/strict";
import fc from "fast-check";
import { parseJson } from "../../src/base/json.ts";

describe("JSON from outside", () => {
  it("is read as JSON.parse does", () => {
    const property = fc.property(fc.json({ maxDepth: 8 }), (text) => {
      const padded = `[${text},${JSON.stringify('\\"[{'.repeat(400))}]`;
      assert.deepEqual(parseJson(padded), JSON.parse(padded));
    });
    fc.assert(property, { seed: 3, numRuns: 200 });
  });

  it("is not read beyond a depth that breaks whoever walks it", () => {
    for (const [open, close] of Object.entries({ "[": "]", '{"a":': "}" })) {
      const deep = `{"code":"x","d":${open.repeat(200_000)}1${close.repeat(200_000)},"e":"]"}`;
      assert.equal(parseJson(deep), undefined);
    }
  });

  it("is read up to a depth of 1,000 and a million values, however many brackets and commas its strings have", () => {
    const nested = (depth: number, value: string): string => "[".repeat(depth) + value + "]".repeat(depth);
    const zeros = (values: number): string => `[${"0,".repeat(values - 2)}0]`;
    const strings = [`"${"[".repeat(2_000)}"`, `"\\"${"{".repeat(2_000)}\\\\"`, `["${",".repeat(1_000_001)}"]`];
    for (const text of [nested(1_000, "1"), zeros(1_000_000), ...strings]) assert.notEqual(parseJson(text), undefined);
    for (const text of [nested(1_001, "1"), zeros(1_000_002)]) assert.equal(parseJson(text), undefined);
  });

  it("takes neither memory nor time for more values than any answer has", () => {
    for (const text of ["[[],".repeat(4 << 20), `[${"[],".repeat(4 << 20)}[]]`, `[${"0,".repeat(4 << 20)}0]`]) {
      const before = process.memoryUsage().heapUsed;
      assert.equal(parseJson(text), undefined);
      assert.ok(process.memoryUsage().heapUsed - before < 50 << 20);
    }
  });
});
