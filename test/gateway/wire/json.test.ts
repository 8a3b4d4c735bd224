import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import { parseJson, parseOutline } from "../../../src/gateway/wire/json.ts";

describe("JSON from outside", () => {
  it("is read as JSON.parse does", () => {
    const property = fc.property(fc.json({ maxDepth: 8 }), (text) => {
      const padded = `[${text},${JSON.stringify('\\"[{'.repeat(400))}]`;
      assert.deepEqual(parseJson(padded), JSON.parse(padded));
    });
    fc.assert(property, { seed: 3, numRuns: 200 });
  });

  it("is not read beyond a depth that breaks whoever walks it, but for an outline", () => {
    for (const [open, close] of [
      ["[", "]"],
      ['{"a":', "}"],
    ] as const) {
      const deep = `{"code":"x","d":${open.repeat(200_000)}1${close.repeat(200_000)},"e":"]"}`;
      assert.equal(parseJson(deep), undefined);
      const outline = parseOutline(deep) as Record<string, unknown>;
      assert.deepEqual([outline.code, outline.e], ["x", "]"]);
      JSON.stringify(outline);
    }
  });

  it("takes neither memory nor time for more values than any answer has", () => {
    for (const text of ["[[],".repeat(4 << 20), `[${"[],".repeat(4 << 20)}[]]`, `[${"0,".repeat(4 << 20)}0]`]) {
      const before = process.memoryUsage().heapUsed;
      assert.equal(parseJson(text), undefined);
      assert.equal(parseOutline(text), undefined);
      assert.ok(process.memoryUsage().heapUsed - before < 50 << 20);
    }
  });
});
