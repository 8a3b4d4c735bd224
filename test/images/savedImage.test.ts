import assert from "node:assert/strict";
import fc from "fast-check";
import { posix, win32 } from "node:path";
import { excessiveMegapixels, fileNameFor, folderSegments, numberedNames } from "../../src/images/savedImage.ts";
import { assemblePng } from "../support/gateway/png.ts";

describe("the size from which on an image is not shown by itself", () => {
  const megapixels = (width: number, height: number): number | undefined =>
    excessiveMegapixels({ bytes: assemblePng({ width, height, colorType: 2 }, []), type: "png" });

  it("is more than a hundred million pixels", () => {
    assert.equal(megapixels(10_000, 10_000), undefined);
    assert.equal(megapixels(10_001, 10_000), 100.01);
    assert.equal(megapixels(1, 200_000_000), 200);
  });

  it("is not told of a file whose size cannot be read", () => {
    assert.equal(excessiveMegapixels({ bytes: new Uint8Array(10), type: "png" }), undefined);
  });
});

describe("the name of an image file", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["A red fox, at dawn", "A-red-fox-at-dawn"],
    ["一只红色的狐狸，清晨", "一只红色的狐狸-清晨"],
    ["ثعلب أحمر", "ثعلب-أحمر"],
    ["cafe\u0301", "café"],
    ["🦊 fox 🦊", "fox"],
    ["CON", "image-CON"],
    ["COM¹", "image-COM¹"],
    ["console", "console"],
    ["", "image"],
    ["line\none", "line-one"],
    ["\ud800x", "x"],
    [
      "a long walk along the coast, with gulls, boats and a lighthouse",
      "a-long-walk-along-the-coast-with-gulls-boats-and-a",
    ],
    ["x".repeat(4_000), "x".repeat(60)],
    ["𠀀".repeat(4_000), "𠀀".repeat(57)],
    ["a\u202egnp.exe", "a-gnp-exe"],
    ["\u3164\u115f\ufe0f", "image"],
    ["ｃｏｎ", "image-ｃｏｎ"],
  ];
  for (const [prompt, name] of cases) {
    it(`is ${name} for ${JSON.stringify(prompt)}`, () => {
      assert.equal(fileNameFor(prompt), name);
    });
  }

  it("is bounded and harmless whatever the prompt", () => {
    const odd = [...".. con NUL com¹ . \0 \u202e \u200d 𠀀 \ud800 a - :".split(" "), "../", "..\\", " ", "\n"];
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

describe("the image folder", () => {
  const cases: readonly (readonly [string, readonly string[] | undefined])[] = [
    ["images", ["images"]],
    ["", []],
    ["./docs//images/", ["docs", "images"]],
    ["docs\\images", ["docs", "images"]],
    ["docs/../images", ["images"]],
    ["图像", ["图像"]],
    ["..", undefined],
    ["../images", undefined],
    ["docs/../../images", undefined],
    ["/images", undefined],
    ["\\\\server\\images", undefined],
    ["C:/images", undefined],
    ["~/images", undefined],
    ["images/C:/x", undefined],
    ["images:stream", undefined],
    [".. /x", undefined],
    ["docs/.../x", undefined],
    [" /x", undefined],
    ["images\0/x", undefined],
    [".images", [".images"]],
    ["..images", ["..images"]],
  ];
  for (const [path, segments] of cases) {
    it(`${segments ? `is ${segments.join("/") || "the workspace folder"}` : "is refused"} for ${JSON.stringify(path)}`, () => {
      assert.deepEqual(folderSegments(path), segments);
    });
  }

  it("is inside the workspace folder on every system, whatever the setting", () => {
    const parts = [..."... .. . // / \\ ~ C: : \0 a images %2e%2e 狐".split(" "), ".. ", " ", "\n"];
    const path = fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ unit: "binary", maxLength: 3 })), {
      maxLength: 10,
    });
    fc.assert(
      fc.property(path, (written) => {
        const segments = folderSegments(written.join(""));
        if (segments === undefined) return;
        for (const system of [posix, win32]) {
          const { sep } = system;
          const root = sep === "/" ? "/w/root" : "C:\\w\\root";
          const way = system.relative(root, system.join(root, ...segments.map((segment) => windowsName(segment, sep))));
          assert.ok(way !== ".." && !way.startsWith(`..${sep}`) && !system.isAbsolute(way), way);
        }
      }),
      { seed: 11, numRuns: 20_000 },
    );
  });
});

/** A name as its system takes it. */
function windowsName(segment: string, sep: string): string {
  if (sep === "/") return segment;
  const name = segment.replace(/[. ]+$/, "");
  return name === "" ? ".." : name;
}
