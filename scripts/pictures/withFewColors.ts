import { deflateSync } from "node:zlib";
import { assemblePng } from "../../test/support/gateway/png.ts";
import { decodePng } from "./decodePng.ts";

const maxColors = 64;
const indexed = 3;

/** Reduces a screenshot to a palette of its most frequent colors, which is enough for text. */
export function withFewColors(png: Buffer): Buffer {
  const { width, height, pixels } = decodePng(png);
  const frequency = new Map<number, number>();
  for (const color of pixels) frequency.set(color, (frequency.get(color) ?? 0) + 1);
  const palette = chooseColors(frequency);
  const indexes = new Map([...frequency.keys()].map((color) => [color, nearest(palette, color)]));
  const lines = Buffer.alloc((width + 1) * height);
  for (const [at, color] of pixels.entries()) {
    lines[at + Math.floor(at / width) + 1] = indexes.get(color) ?? 0;
  }
  const samples = Buffer.from(palette.flatMap(channels));
  return assemblePng({ width, height, colorType: indexed }, [
    ["PLTE", samples],
    ["IDAT", deflateSync(lines, { level: 9 })],
  ]);
}

/** Repeatedly chooses the color that represents the most pixels far from all chosen ones. */
function chooseColors(frequency: ReadonlyMap<number, number>): readonly number[] {
  const chosen: number[] = [];
  const errors = new Map([...frequency.keys()].map((color) => [color, Infinity]));
  while (chosen.length < maxColors) {
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
