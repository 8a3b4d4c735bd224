import { inflateSync } from "node:zlib";

/** The pixels of a picture, each its red, green and blue in one number. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint32Array;
}

/** Bytes of a pixel by color type: truecolor, without and with transparency. */
const pixelSizes: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

/** Reads a PNG screenshot of a browser: eight bits per sample, truecolor, not interlaced; ignores transparency. */
export function decodePng(png: Buffer): Picture {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const size = pixelSizes[png[25] ?? 0];
  if (size === undefined) throw new Error(`Color type ${png[25]} is not expected in a screenshot.`);
  const lines = inflateSync(Buffer.concat(contentsOf(png, "IDAT")));
  const stride = width * size;
  let above = new Uint8Array(stride);
  const pixels = new Uint32Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const start = y * (stride + 1);
    const line = unfiltered(lines[start] ?? 0, lines.subarray(start + 1, start + 1 + stride), above, size);
    for (let x = 0, at = 0; x < width; x += 1, at += size)
      pixels[y * width + x] = ((line[at] ?? 0) << 16) | ((line[at + 1] ?? 0) << 8) | (line[at + 2] ?? 0);
    above = line;
  }
  return { width, height, pixels };
}

function contentsOf(png: Buffer, wanted: string): Buffer[] {
  const contents: Buffer[] = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === wanted) contents.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return contents;
}

/** Undoes a filter of PNG (section 9 of its specification): 0 none, 1 left, 2 above, 3 their mean, 4 Paeth. */
function unfiltered(filter: number, line: Uint8Array, above: Uint8Array, size: number): Uint8Array<ArrayBuffer> {
  const plain = new Uint8Array(line.length);
  for (const [at, byte] of line.entries()) {
    const left = plain[at - size] ?? 0;
    const up = above[at] ?? 0;
    const guesses = [0, left, up, (left + up) >> 1, paeth(left, up, above[at - size] ?? 0)];
    plain[at] = byte + (guesses[filter] ?? 0);
  }
  return plain;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}
