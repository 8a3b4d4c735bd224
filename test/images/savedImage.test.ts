import assert from "node:assert/strict";
import fc from "fast-check";
import { posix, win32 } from "node:path";
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
    ["has Chinese words", "一只红色的狐狸，清晨", "一只红色的狐狸-清晨"],
    ["is in the usual form", "cafe\u0301", "café"],
    ["has no emoji", "🦊 fox 🦊", "fox"],
    ["is no device", "CON", "image-CON"],
    ["is no device in wide letters", "ｃｏｎ", "image-ｃｏｎ"],
    ["may begin like a device", "console", "console"],
    ["is there without a prompt", "", "image"],
    ["ends with a word", `${"a long walk ".repeat(4)}along the coast`, `${"a-long-walk-".repeat(4)}along-the`],
    ["is short", "x".repeat(4_000), "x".repeat(60)],
    ["is short in bytes", "𠀀".repeat(4_000), "𠀀".repeat(57)],
    ["has nothing that nobody sees", "\u3164\u115f\ufe0f", "image"],
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
    ["is a folder of the workspace", "images", ["images"]],
    ["is the workspace folder", "", []],
    ["may have dots and slashes too many", "./docs//images/", ["docs", "images"]],
    ["may have other slashes", "docs\\images", ["docs", "images"]],
    ["may lead back", "docs/../images", ["images"]],
    ["may be Chinese", "图像", ["图像"]],
    ["may begin with a dot", ".images", [".images"]],
    ["may begin with dots", "..images", ["..images"]],
  ]).gives(folderSegments);

  it("is inside the workspace folder on every system, whatever the setting", () => {
    const parts = [..."... .. . // / \\ ~ C: : \0 a images %2e%2e 狐".split(" "), ".. ", " ", "\n"];
    const part = fc.oneof(fc.constantFrom(...parts), fc.string({ unit: "binary", maxLength: 3 }));
    const path = fc.array(part, { maxLength: 10 });
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
      { seed: 11, numRuns: 5_000 },
    );
  });
});

/** A name as its system takes it. */
function windowsName(segment: string, sep: string): string {
  if (sep === "/") return segment;
  const name = segment.replace(/[. ]+$/, "");
  return name === "" ? ".." : name;
}
