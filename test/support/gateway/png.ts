import { promisify } from "node:util";
import { crc32, deflate, deflateSync } from "node:zlib";

/** An ordered image. */
export interface Picture {
  readonly prompt: string;
  readonly width: number;
  readonly height: number;
}

const compress = promisify(deflate);
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const truecolor = 2;

/** A PNG of the requested size: lines that change from a color of the prompt. The same picture gives the same bytes. */
export async function paint({ prompt, width, height }: Picture): Promise<Buffer> {
  const hash = crc32(prompt);
  const lines = Array.from({ length: height }, (_, y) => {
    const color = [0, 8, 16].map((shift) => ((hash >>> shift) + (0x60 * y) / height) & 0xff);
    return Buffer.concat([Buffer.of(0), Buffer.alloc(width * 3, Buffer.from(color))]);
  });
  return assemblePng({ width, height, colorType: truecolor }, [["IDAT", await compress(Buffer.concat(lines))]]);
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
