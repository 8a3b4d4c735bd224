import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import { imageSize, imageType, isWhole, readImageFile } from "../../../src/gateway/wire/imageStructure.ts";
import { assemblePng } from "../../support/gateway/png.ts";
import { processorTime } from "../../support/assertLinear.ts";
import { each } from "../../support/each.ts";

/** Valid pictures of 8 x 8 pixels in the other types an image file may have. */
const samples: Readonly<Record<"jpeg" | "webp", Buffer>> = {
  jpeg: Buffer.from(
    [
      "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQc1tdhbWGkJ6j",
      "q62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSk",
      "pKSkpKSkpKT/wAARCAAIAAgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QA",
      "FAEBAAAAAAAAAAAAAAAAAAAABP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AJQCRH//2Q==",
    ].join(""),
    "base64",
  ),
  webp: Buffer.from(
    ["UklGRjAAAABXRUJQVlA4ICQAAACQAQCdASoIAAgABABoJaACdLoAA5gA/uQBeRSLGVviF3sKoAA="].join(""),
    "base64",
  ),
};

const pixels = deflateSync(Buffer.alloc((7 * 3 + 1) * 5));
const header = { width: 7, height: 5, colorType: 2 };
const png = assemblePng(header, [
  ["IDAT", pixels.subarray(0, 4)],
  ["IDAT", pixels.subarray(4)],
]);

/** A JPEG of what follows its start marker. */
function jpegOf(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...parts]);
}

function segment(marker: number, content: Buffer): Buffer {
  const length = content.length + 2;
  return Buffer.concat([Buffer.from([0xff, marker, length >> 8, length & 255]), content]);
}
const end = Buffer.from([0xff, 0xd9]);
const frame = Buffer.from([8, 0, 5, 0, 7, 1, 1, 0x11, 0]);
const scanHeader = Buffer.from([1, 1, 0, 0, 63, 0]);
const scan = Buffer.from([1, 0xff, 0, 2, 0xff, 0xd0, 3, 0xff, 0, 4]);
const thumbnail = jpegOf(segment(0xc0, frame), segment(0xda, scanHeader), scan, end);
const progressive = jpegOf(
  segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0"), thumbnail])),
  segment(0xc2, frame),
  segment(0xda, scanHeader),
  scan,
  segment(0xc4, Buffer.alloc(20)),
  segment(0xda, scanHeader),
  scan,
  Buffer.from([0xff, 0xff]),
  end,
);

/** A WebP of these chunks. */
function webpOf(...chunks: readonly (readonly [type: string, content: Buffer])[]): Buffer {
  const body = Buffer.concat(
    chunks.flatMap(([type, content]) => {
      const head = Buffer.from(`${type}\0\0\0\0`, "latin1");
      head.writeUInt32LE(content.length, 4);
      return [head, content, Buffer.alloc(content.length % 2)];
    }),
  );
  const riff = Buffer.from("RIFF\0\0\0\0WEBP", "latin1");
  riff.writeUInt32LE(body.length + 4, 4);
  return Buffer.concat([riff, body]);
}
const lossless = webpOf(["VP8L", Buffer.from([0x2f, 6, 0, 1, 0, 9, 9, 9, 9, 9, 9])]);
const animated = webpOf(["VP8X", Buffer.from([2, 0, 0, 0, 6, 0, 0, 4, 0, 0])], ["ANMF", Buffer.alloc(31)]);

const whole: Readonly<Record<string, Buffer>> = {
  "a PNG": png,
  "a JPEG": samples.jpeg,
  "a progressive JPEG with a thumbnail": progressive,
  "a WebP": samples.webp,
  "a lossless WebP": lossless,
  "an animated WebP": animated,
};

function isWholeImage(file: Buffer): boolean {
  const type = imageType(file);
  return type !== undefined && isWhole(file, type);
}

describe("the type of an image", () => {
  each<[file: Buffer], string | undefined>([
    ["PNG", png, "png"],
    ["JPEG", samples.jpeg, "jpeg"],
    ["WebP", samples.webp, "webp"],
    ["a page", Buffer.from("<!DOCTYPE html>"), undefined],
    ["a GIF", Buffer.from("GIF89a"), undefined],
    ["a RIFF that is no WebP", Buffer.from("RIFF\x24\0\0\0WAVE", "latin1"), undefined],
    ["half a signature", png.subarray(0, 5), undefined],
    ["nothing", Buffer.alloc(0), undefined],
  ]).gives(imageType);
});

describe("the structure of an image", () => {
  for (const [what, file] of Object.entries(whole)) {
    it(`is complete in ${what}, with or without bytes behind its end`, () => {
      assert.ok(isWholeImage(file));
      assert.ok(isWholeImage(Buffer.concat([file, Buffer.from("trailing bytes \xff\xd9")])));
      assert.ok(isWholeImage(Buffer.concat([Buffer.from("xxx"), file]).subarray(3)), "in a view into a larger buffer");
      assert.deepEqual(readImageFile(file).bytes, file);
    });

    it(`is not complete wherever ${what} is cut off`, () => {
      for (let length = 0; length < file.length; length += 1) {
        assert.ok(!isWholeImage(file.subarray(0, length)), `${length} of ${file.length} bytes`);
      }
      assert.throws(() => readImageFile(file.subarray(0, -1)), { kind: "notAnImage" });
    });
  }

  it("is damaged by any byte of a PNG that changes", () => {
    for (let at = 8; at < png.length; at += 1) {
      const damaged = Buffer.from(png);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      assert.ok(!isWholeImage(damaged), `byte ${at}`);
    }
  });

  const broken: Readonly<Record<string, Buffer>> = {
    "a PNG without pixels": assemblePng(header, []),
    "a PNG whose pixels say IEND": Buffer.concat([png.subarray(0, 45), Buffer.from("IEND\xaeB`\x82", "latin1")]),
    "a JPEG of a thumbnail alone": jpegOf(segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0"), thumbnail]))),
    "a JPEG without a scan": jpegOf(segment(0xc0, frame), end),
    "a JPEG with an empty scan": jpegOf(segment(0xc0, frame), segment(0xda, scanHeader), end),
    "a JPEG without a frame": jpegOf(segment(0xda, scanHeader), scan, end),
    "a JPEG with a segment shorter than its length": jpegOf(Buffer.from([0xff, 0xe0, 0, 1]), end),
    "a WebP of no length": Buffer.from("RIFF\0\0\0\0WEBPVP8L", "latin1"),
  };
  for (const [what, file] of Object.entries(broken)) {
    it(`is not complete in ${what}`, () => {
      assert.ok(!isWholeImage(file));
    });
  }

  it("is read quickly in files of millions of empty parts", () => {
    const head = png.subarray(0, 33);
    const chunk = assemblePng(header, [["IDAT", Buffer.alloc(0)]]).subarray(33, 45);
    const size = 16 << 20;
    const endless = Buffer.alloc(size, Buffer.from([0xff, 0]));
    const files = [
      Buffer.concat([head, Buffer.alloc(size, chunk)]),
      jpegOf(Buffer.alloc(size, Buffer.from([0xff, 0xe0, 0, 2]))),
      jpegOf(segment(0xc0, frame), segment(0xda, scanHeader), endless),
      jpegOf(Buffer.alloc(size, 0xff)),
    ];
    const time = processorTime(() => {
      assert.ok(!files.some(isWholeImage));
    });
    assert.ok(time < 5_000, `${time} ms`);
  });
});

describe("the size of an image", () => {
  each<[file: Buffer], readonly [width: number, height: number]>([
    ["a PNG", png, [7, 5]],
    ["a huge PNG", assemblePng({ width: 100_000, height: 40_000, colorType: 2 }, []), [100_000, 40_000]],
    ["a JPEG", samples.jpeg, [8, 8]],
    ["a progressive JPEG with a thumbnail", progressive, [7, 5]],
    ["a WebP", samples.webp, [8, 8]],
    ["a lossless WebP", Buffer.concat([lossless]), [7, 5]],
    ["an animated WebP", animated, [7, 5]],
  ]).hold((file, [width, height]) => {
    const type = imageType(file);
    assert.deepEqual(type && imageSize(file, type), { width, height });
  });

  it("is unknown where the file ends before it", () => {
    assert.equal(imageSize(png.subarray(0, 20), "png"), undefined);
    assert.equal(imageSize(samples.jpeg.subarray(0, 20), "jpeg"), undefined);
    assert.equal(imageSize(samples.webp.subarray(0, 20), "webp"), undefined);
  });
});
