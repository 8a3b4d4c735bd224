import assert from "node:assert/strict";
import fc from "fast-check";
import { fileNameFor, numberedNames } from "../../src/images/fileName.ts";

describe("the name of an image file", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["A red fox, at dawn", "A-red-fox-at-dawn"],
    ["一只红色的狐狸，清晨", "一只红色的狐狸-清晨"],
    ["ثعلب أحمر", "ثعلب-أحمر"],
    ["cafe\u0301", "café"],
    ["🦊🦊", "image"],
    ["🦊 fox 🦊", "fox"],
    ["../../x", "x"],
    ["C:\\Windows\\x", "C-Windows-x"],
    ["CON", "image-CON"],
    ["com1", "image-com1"],
    ["COM¹", "image-COM¹"],
    ["console", "console"],
    ["...", "image"],
    ["", "image"],
    ["line\none", "line-one"],
    ["\ud800x", "x"],
    [
      "a long walk along the coast, with gulls, boats and a lighthouse",
      "a-long-walk-along-the-coast-with-gulls-boats-and-a",
    ],
    ["x".repeat(4_000), "x".repeat(60)],
    ["狐".repeat(4_000), "狐".repeat(60)],
  ];
  for (const [prompt, name] of cases) {
    it(`is ${name} for ${JSON.stringify(prompt)}`, () => {
      assert.equal(fileNameFor(prompt), name);
    });
  }

  it("is bounded and harmless whatever the prompt", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 4_000 }), (prompt) => {
        const name = fileNameFor(prompt);
        assert.match(name, /^[\p{L}\p{N}\p{M}]+(?:-[\p{L}\p{N}\p{M}]+)*$/u);
        assert.ok(Array.from(name).length <= 66);
        assert.ok(Buffer.byteLength(name) <= 245);
      }),
    );
  });

  it("gets a number when it is taken", () => {
    const names = numberedNames("fox", "png");
    assert.deepEqual(
      [names.next().value, names.next().value, names.next().value],
      ["fox.png", "fox-2.png", "fox-3.png"],
    );
  });
});
