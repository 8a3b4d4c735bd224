import assert from "node:assert/strict";
import fc from "fast-check";
import { locate, onlyStart } from "../../../src/inline/ask/locate.ts";
import { assertLinear } from "../../support/assertLinear.ts";

describe("code that was read earlier", () => {
  it("is found where it was tracked to, even if it is there twice", () => {
    const code = ["{", "  a", "}"];
    for (const document of [
      ["x", "y", ...code],
      [...code.slice(1), ...code, "x", ...code],
    ])
      assert.deepEqual(locate(document, code, { start: 2, end: 5 }, true), { start: 2, end: 5 });
  });

  it("is, if blank, found only where it was tracked to", () => {
    assert.deepEqual(locate(["a", "", "b"], [""], { start: 1, end: 2 }, true), { start: 1, end: 2 });
    assert.deepEqual(locate(["a", "b", ""], [""], { start: 1, end: 2 }, true), undefined);
  });

  it("is not mistaken for the same text elsewhere, which was there all along", () => {
    const tracked = { start: 1, end: 2 };
    for (const line of ["foo();", "}"]) {
      const before = ["a", line, "b", line];
      const wasUnique = onlyStart(before, [line]) !== undefined;
      assert.deepEqual(locate(before, [line], tracked, wasUnique), tracked);
      assert.deepEqual(locate(["a", "x", "b", line], [line], tracked, wasUnique), undefined);
    }
  });

  it("is found among lines that are all alike without a long search", () => {
    const search = (count: number): void => {
      const document = Array.from({ length: 2 * count }, () => "}");
      const code = [...document.slice(0, count), "x"];
      assert.equal(locate(document, code, { start: 0, end: code.length }, true), undefined);
      assert.equal(onlyStart([...document, "x"], code), count);
    };
    assertLinear(search, 20_000);
  });

  it("is found wherever a slow search finds it", () => {
    const line = fc.constantFrom("a", "b");
    const [lines, some] = [fc.array(line, { maxLength: 12 }), fc.array(line, { minLength: 1, maxLength: 4 })];
    fc.assert(
      fc.property(lines, some, (document, code) => {
        const starts = document.flatMap((_, start) =>
          code.every((line, index) => document[start + index] === line) ? [start] : [],
        );
        const only = starts.length === 1 ? starts[0] : undefined;
        assert.equal(onlyStart(document, code), only);
        const tracked = { start: document.length, end: document.length + code.length };
        assert.equal(locate(document, code, tracked, true)?.start, only);
      }),
      { seed: 11 },
    );
  });
});
