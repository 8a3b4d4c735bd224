import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { imageSize, imageType, isWhole, readImageFile } from "../../../src/gateway/wire/imageStructure.ts";
import { processorTime } from "../../support/assertLinear.ts";
import { each } from "../../support/each.ts";

const folder = join(import.meta.dirname, "images");
const fileOf = (name: string): Buffer => readFileSync(join(folder, name));

/** Whole images with their sizes. */
const sizes: Readonly<Record<string, readonly [width: number, height: number]>> = {
  "plain.png": [7, 5],
  "plain.jpeg": [8, 8],
  "progressive-with-a-thumbnail.jpeg": [7, 5],
  "lossy.webp": [8, 8],
  "lossless.webp": [7, 5],
  "animated.webp": [7, 5],
};

function isWholeImage(file: Buffer): boolean {
  const type = imageType(file);
  return type !== undefined && isWhole(file, type);
}

describe("an image", () => {
  for (const [name, [width, height]] of Object.entries(sizes)) {
    const file = fileOf(name);

    it(`is read with its type and its size, with or without bytes behind its end: ${name}`, () => {
      const { bytes, type } = readImageFile(file);
      assert.deepEqual([bytes, name.split(".")[1], imageSize(file, type)], [file, type, { width, height }]);
      assert.ok(isWholeImage(Buffer.concat([file, Buffer.from("trailing bytes \xff\xd9")])));
      assert.ok(isWholeImage(Buffer.concat([Buffer.from("xxx"), file]).subarray(3)), "in a view into a larger buffer");
      assert.equal(imageSize(file.subarray(0, 20), type), undefined, "the size is behind that");
    });

    it(`is not whole wherever it is cut off: ${name}`, () => {
      for (let length = 0; length < file.length; length += 1) {
        assert.ok(!isWholeImage(file.subarray(0, length)), `${length} of ${file.length} bytes`);
      }
      assert.throws(() => readImageFile(file.subarray(0, -1)), { kind: "notAnImage" });
    });
  }

  it("is damaged by any byte of a PNG that changes", () => {
    const png = fileOf("plain.png");
    for (let at = 8; at < png.length; at += 1) {
      const damaged = Buffer.from(png);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      assert.ok(!isWholeImage(damaged), `byte ${at}`);
    }
  });

  for (const name of readdirSync(join(folder, "broken"))) {
    it(`is not whole ${name}`, () => {
      assert.ok(!isWholeImage(fileOf(join("broken", name))));
    });
  }

  it("may be larger than 65,535 pixels", () => {
    assert.deepEqual(imageSize(fileOf("broken/without-pixels.png"), "png"), { width: 100_000, height: 40_000 });
  });

  each<[file: string], undefined>([
    ["is no page", "<!DOCTYPE html>", undefined],
    ["is no GIF", "GIF89a", undefined],
    ["is no RIFF file but WebP", "RIFF\x24\0\0\0WAVE", undefined],
    ["is not half a signature", "\x89PNG\r", undefined],
  ]).gives((file) => imageType(Buffer.from(file, "latin1")));

  it("is read quickly in files of millions of empty parts", () => {
    const size = 16 << 20;
    const png = fileOf("plain.png");
    const jpeg = fileOf("broken/with-an-empty-scan.jpeg");
    const emptyPixels = Buffer.from("\0\0\0\0IDAT\x35\xaf\x06\x1e", "latin1");
    const files = [
      Buffer.concat([png.subarray(0, 33), Buffer.alloc(size, emptyPixels)]),
      Buffer.concat([jpeg.subarray(0, 2), Buffer.alloc(size, Buffer.from([0xff, 0xe0, 0, 2]))]),
      Buffer.concat([jpeg.subarray(0, -2), Buffer.alloc(size, Buffer.from([0xff, 0]))]),
      Buffer.concat([jpeg.subarray(0, 2), Buffer.alloc(size, 0xff)]),
    ];
    const time = processorTime(() => {
      assert.ok(!files.some(isWholeImage));
    });
    assert.ok(time < 5_000, `${time} ms`);
  });
});
