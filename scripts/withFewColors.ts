import { crc32 } from "node:zlib";
import UPNG from "upng-js";

/** A screenshot, and how long it is shown in an animation, in milliseconds. */
export interface Frame {
  readonly png: Buffer;
  readonly duration: number;
}

/** Colors of a picture, and of an animation, which would be too large. */
const mostColors = 64;
const mostInMotion = 24;

/**
 * Reduces screenshots of the same size to a palette, which is enough for text. More than one become an animation that is
 * played once: each frame has only what has changed.
 */
export function withFewColors(...frames: readonly [Frame, ...Frame[]]): Buffer {
  const pictures = frames.map(({ png }) => UPNG.decode(new Uint8Array(png).buffer));
  const { width, height } = pictures[0] ?? { width: 0, height: 0 };
  const pixels = pictures.flatMap((picture) => UPNG.toRGBA8(picture));
  const durations = frames.map(({ duration }) => duration);
  const isAnimated = frames.length > 1;
  const colors = isAnimated ? mostInMotion : mostColors;
  const made = Buffer.from(UPNG.encode(pixels, width, height, colors, isAnimated ? durations : undefined));
  return isAnimated ? playedOnce(made) : made;
}

/** Sets the number of plays in the animation's control chunk, which UPNG.js 2.1 leaves at 0, endless. */
function playedOnce(png: Buffer): Buffer {
  // Type, number of frames, number of plays, checksum (section 11.3.6.1 of PNG's third edition).
  const start = png.indexOf("acTL", 0, "latin1");
  png.writeUInt32BE(1, start + 8);
  png.writeUInt32BE(crc32(png.subarray(start, start + 12)), start + 12);
  return png;
}
