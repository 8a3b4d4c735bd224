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
    ["𠀀".repeat(4_000), "𠀀".repeat(57)],
    ["a\u202egnp.exe", "a-gnp-exe"],
    ["\u3164\u115f\ufe0f", "image"],
    ["LPT9", "image-LPT9"],
    ["ｃｏｎ", "image-ｃｏｎ"],
  ];
  for (const [prompt, name] of cases) {
    it(`is ${name} for ${JSON.stringify(prompt)}`, () => {
      assert.equal(fileNameFor(prompt), name);
    });
  }

  it("is bounded and harmless whatever the prompt", () => {
    const odd = [
      "../",
      "..\\",
      "con",
      "NUL",
      "com¹",
      ".",
      " ",
      "\0",
      "\n",
      "\u202e",
      "\u200d",
      "𠀀",
      "\ud800",
      "a",
      "-",
      ":",
    ];
    const prompts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 4_000 }),
      fc.array(fc.constantFrom(...odd), { maxLength: 100 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(prompts, fc.constantFrom("png", "jpg", "webp"), (prompt, extension) => {
        const name = fileNameFor(prompt);
        assert.doesNotMatch(name.normalize("NFKC"), /^(?:con|prn|aux|nul|com\d|lpt\d)$/i);
        assert.doesNotMatch(name, /\p{C}|\p{Bidi_Control}|\p{Default_Ignorable_Code_Point}/u);
        const [first] = numberedNames(name, extension).take(1);
        const [last] = numberedNames(name, extension).drop(9_998).take(1);
        assert.equal(last, `${name}-9999.${extension}`);
        for (const file of [first, last]) assert.ok(file && Buffer.byteLength(file) <= 255);
        assert.match(name, /^[\p{L}\p{N}\p{M}]+(?:-[\p{L}\p{N}\p{M}]+)*$/u);
        assert.ok(Array.from(name).length <= 66);
        assert.ok(Buffer.byteLength(name) <= 236);
      }),
      { seed: 11, numRuns: 300 },
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
