import assert from "node:assert/strict";
import fc from "fast-check";
import { fileNameFor, folderSegments, isLargeImage } from "../../src/images/savedImage.ts";
import { each } from "../support/each.ts";
import { assemblePng } from "../support/gateway/png.ts";

describe("an image that is not shown automatically", () => {
  const isLarge = (width: number, height: number): boolean =>
    isLargeImage({ bytes: assemblePng({ width, height, colorType: 2 }, []), type: "png" });

  it("has more than a hundred million pixels", () => {
    assert.equal(isLarge(10_000, 10_000), false);
    assert.equal(isLarge(10_001, 10_000), true);
    assert.equal(isLarge(1, 200_000_000), true);
    assert.equal(isLargeImage({ bytes: new Uint8Array(10), type: "png" }), false);
  });
});

describe("the name of an image file", () => {
  each([
    ["has the words of the prompt", "A red fox, at dawn", "A-red-fox-at-dawn"],
    ["is in the usual form", "cafe\u0301", "café"],
    ["is no device", "CON", "image-CON"],
    ["may begin like a device", "console", "console"],
    ["is there without a prompt", "\u3164", "image"],
    ["ends with a word", `${"a long walk ".repeat(4)}along the coast`, `${"a-long-walk-".repeat(4)}along-the`],
    ["is short in bytes", "𠀀".repeat(4_000), "𠀀".repeat(57)],
  ]).gives(fileNameFor);

  it("is bounded and harmless whatever the prompt", () => {
    const odd = [...".. con NUL com¹ . \0 \u202e \u200d 𠀀 \ud800 a - :".split(" "), "../", "..\\", " ", "\n"];
    const prompts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 400 }),
      fc.array(fc.constantFrom(...odd), { maxLength: 100 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(prompts, (prompt) => {
        const name = fileNameFor(prompt);
        assert.doesNotMatch(name.normalize("NFKC"), /^(?:con|prn|aux|nul|com\d|lpt\d)$/i);
        assert.doesNotMatch(name, /\p{C}|\p{Bidi_Control}|\p{Default_Ignorable_Code_Point}/u);
        assert.match(name, /^[\p{L}\p{N}\p{M}]+(?:-[\p{L}\p{N}\p{M}]+)*$/u);
        assert.ok(Array.from(name).length <= 66);
        assert.ok(Buffer.byteLength(name) <= 236);
      }),
      { seed: 11, numRuns: 300 },
    );
  });
});

describe("the image folder", () => {
  const refused = "..|../images|docs/../../images|/images|\\\\server\\images|C:/images|~/images|images/C:/x"
    .concat("|images:stream|.. /x|docs/.../x| /x|images\0/x")
    .split("|");
  it("is refused where it may lead out of the workspace", () => {
    for (const path of refused) assert.equal(folderSegments(path), undefined, path);
  });

  each([
    ["is the workspace folder", "", []],
    ["may have dots and slashes too many", "./docs//images/", ["docs", "images"]],
    ["may have other slashes", "docs\\images", ["docs", "images"]],
    ["may lead back", "docs/../images", ["images"]],
    ["may begin with dots", "..images", ["..images"]],
  ]).gives(folderSegments);

  it("has only names that every system takes as such, whatever the setting", () => {
    const part = fc.constantFrom(..."... .. . // / \\ ~ C: : \0 a images %2e%2e 狐 .._ ".split(" "), ".. ", " ", "\n");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 10 }), (written) => {
        for (const name of folderSegments(written.join("")) ?? []) assert.doesNotMatch(name, /^[. ]*$|[/\\:\0]/);
      }),
      { numRuns: 5_000 },
    );
  });
});
