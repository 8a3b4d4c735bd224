import { promisify } from "node:util";
import { constants, crc32, deflate, deflateSync } from "node:zlib";

/** An ordered image. */
export interface Picture {
  readonly prompt: string;
  readonly width: number;
  readonly height: number;
}

const compress = promisify(deflate);
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const truecolor = 2;

/** A PNG of the requested size: a diagonal gradient in colors of the prompt. The same picture gives the same bytes. */
export async function paint({ prompt, width, height }: Picture): Promise<Buffer> {
  const hash = crc32(prompt);
  const channels = [0, 8, 16].map((shift) => {
    const from = (hash >>> shift) & 0xff;
    return { from, change: ((from + 0x60) & 0xff) - from };
  });
  const pixels = new Uint8Array(width * height * channels.length);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const share = (x / width + y / height) / 2;
      for (const { from, change } of channels) pixels[at++] = from + change * share;
    }
  }
  return await encodePng(width, height, pixels);
}

/** Encodes `width` x `height` pixels of three bytes as a PNG. */
async function encodePng(width: number, height: number, pixels: Uint8Array): Promise<Buffer> {
  const lines = await compress(filtered(width, height, pixels), { level: 1, strategy: constants.Z_RLE });
  return assemblePng({ width, height, colorType: truecolor }, [["IDAT", lines]]);
}

/** A PNG of eight bits a sample from the chunks between its header and its end. */
export function assemblePng(
  { width, height, colorType }: { width: number; height: number; colorType: number },
  chunks: readonly (readonly [type: string, content: Buffer])[],
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, colorType, 0, 0, 0], 8);
  const all = [["IHDR", header], ...chunks, ["IEND", Buffer.alloc(0)]] as const;
  return Buffer.concat([signature, ...all.map(([type, content]) => chunk(type, content))]);
}

/** Encodes each line as the difference to the previous one: PNG's filter "Up", which makes smooth pictures small. */
function filtered(width: number, height: number, pixels: Uint8Array): Buffer {
  const stride = width * 3;
  const lines = Buffer.alloc((stride + 1) * height);
  for (let y = 0, to = 0; y < height; y += 1) {
    lines[to++] = 2;
    for (let from = y * stride, end = from + stride; from < end; from += 1)
      lines[to++] = (pixels[from] ?? 0) - (y === 0 ? 0 : (pixels[from - stride] ?? 0));
  }
  return lines;
}

function chunk(type: string, content: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const framed = Buffer.alloc(typed.length + 8);
  framed.writeUInt32BE(content.length, 0);
  typed.copy(framed, 4);
  framed.writeUInt32BE(crc32(typed), typed.length + 4);
  return framed;
}

/** A small picture. */
export const tinyPng = assemblePng({ width: 8, height: 8, colorType: truecolor }, [
  ["IDAT", deflateSync(Buffer.alloc(25 * 8))],
]);
