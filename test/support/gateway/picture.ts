import { crc32 } from "node:zlib";
import type { Picture } from "./imageHandler.ts";
import { encodePng } from "./png.ts";

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
