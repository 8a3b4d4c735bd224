import { deflateSync } from "node:zlib";
import { assemblePng } from "../../test/support/gateway/png.ts";
import { decodePng } from "./decodePng.ts";

/** A screenshot, and how long it is shown in an animation, in milliseconds. */
export interface Frame {
  readonly png: Buffer;
  readonly duration: number;
}

/** A part of a picture: where it begins, and its size, in pixels. */
interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

type Chunk = readonly [type: string, content: Buffer];

/** Colors of a picture, and of an animation, which would be too large. */
const mostColors = 64;
const mostInMotion = 24;
const indexed = 3;

/**
 * Reduces screenshots of the same size to a palette of their most frequent colors, which is enough for text. More than one
 * become an animation that is played once (Animated PNG, section 11.3.6 of PNG's third edition): each frame has only what
 * has changed.
 */
export function withFewColors(...frames: readonly [Frame, ...Frame[]]): Buffer {
  const pictures = frames.map(({ png, duration }) => ({ ...decodePng(png), duration }));
  const { width = 0, height = 0 } = pictures[0] ?? {};
  const frequency = new Map<number, number>();
  for (const { pixels } of pictures) for (const color of pixels) frequency.set(color, (frequency.get(color) ?? 0) + 1);
  const isAnimated = pictures.length > 1;
  const palette = chooseColors(frequency, isAnimated ? mostInMotion : mostColors);
  const indexes = new Map([...frequency.keys()].map((color) => [color, nearest(palette, color)]));
  const plain = pictures.map(({ pixels }) => Uint8Array.from(pixels, (color) => indexes.get(color) ?? 0));
  const chunks: Chunk[] = [["PLTE", Buffer.from(palette.flatMap(channels))]];
  if (isAnimated) chunks.unshift(["acTL", numbers(pictures.length, 1)]);
  let sequence = 0;
  for (const [index, { duration }] of pictures.entries()) {
    const pixels = plain[index] ?? new Uint8Array();
    const area = changedArea(pixels, plain[index - 1], { x: 0, y: 0, width, height });
    if (isAnimated) chunks.push(["fcTL", frameControl(sequence++, area, duration)]);
    const data = deflateSync(linesOf(pixels, width, area), { level: 9 });
    chunks.push(index === 0 ? ["IDAT", data] : ["fdAT", Buffer.concat([numbers(sequence++), data])]);
  }
  return assemblePng({ width, height, colorType: indexed }, chunks);
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}

function frameControl(sequence: number, { x, y, width, height }: Area, duration: number): Buffer {
  const time = Buffer.alloc(6);
  time.writeUInt16BE(duration, 0);
  time.writeUInt16BE(1_000, 2);
  return Buffer.concat([numbers(sequence, width, height, x, y), time]);
}

/** The smallest area with all that differs from the frame before; one pixel where nothing does. */
function changedArea(pixels: Uint8Array, before: Uint8Array | undefined, whole: Area): Area {
  if (!before) return whole;
  let [left, right, top, bottom] = [whole.width, 0, whole.height, 0];
  for (const [at, color] of pixels.entries()) {
    if (color === before[at]) continue;
    const [x, y] = [at % whole.width, Math.floor(at / whole.width)];
    [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
  }
  if (left > right) return { x: 0, y: 0, width: 1, height: 1 };
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** The lines of an area, each after the number of its filter: none. */
function linesOf(pixels: Uint8Array, stride: number, { x, y, width, height }: Area): Buffer {
  const lines = Buffer.alloc((width + 1) * height);
  for (let line = 0; line < height; line += 1) {
    const start = (y + line) * stride + x;
    lines.set(pixels.subarray(start, start + width), line * (width + 1) + 1);
  }
  return lines;
}

/** Repeatedly chooses the color that represents the most pixels far from all chosen ones. */
function chooseColors(frequency: ReadonlyMap<number, number>, count: number): readonly number[] {
  const chosen: number[] = [];
  const errors = new Map([...frequency.keys()].map((color) => [color, Infinity]));
  while (chosen.length < count) {
    let worst: number | undefined;
    let most = 0;
    for (const [color, error] of errors) {
      const weight = Math.min(error, 1e6) * Math.sqrt(frequency.get(color) ?? 0);
      if (weight > most) [worst, most] = [color, weight];
    }
    if (worst === undefined) break;
    chosen.push(worst);
    for (const [color, error] of errors) errors.set(color, Math.min(error, distance(color, worst)));
  }
  return chosen;
}

function nearest(palette: readonly number[], color: number): number {
  let best = 0;
  for (const [index, candidate] of palette.entries())
    if (distance(candidate, color) < distance(palette[best] ?? 0, color)) best = index;
  return best;
}

function distance(one: number, other: number): number {
  const [red, green, blue] = channels(one);
  const [otherRed, otherGreen, otherBlue] = channels(other);
  return (red - otherRed) ** 2 + (green - otherGreen) ** 2 + (blue - otherBlue) ** 2;
}

function channels(color: number): [number, number, number] {
  return [color >> 16, (color >> 8) & 255, color & 255];
}
