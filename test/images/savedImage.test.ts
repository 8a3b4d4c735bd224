import assert from "node:assert/strict";
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
    ["may begin with dots", "..images", ["..images"]],
  ]).gives(folderSegments);
});
