import { cell, isInked } from "./font.ts";
import type { Picture } from "./imageHandler.ts";
import { encodePng } from "./png.ts";

type Color = readonly [red: number, green: number, blue: number];

/** A PNG of the requested size that shows the words of the prompt. The same picture gives the same bytes. */
export async function paint(picture: Picture): Promise<Buffer> {
  const pixels = background(picture);
  const { lines, scale } = layOut(picture);
  const left = Math.round(picture.width * margin);
  const top = Math.round((picture.height - lines.length * cell.height * scale) / 2);
  for (const [index, line] of lines.entries())
    drawLine(pixels, picture, line, { left, top: top + index * cell.height * scale, scale });
  return encodePng(picture.width, picture.height, pixels);
}

const margin = 0.08;
const scales = [12, 10, 8, 6, 5, 4, 3, 2, 1];

/** The largest scale at which all words fit. */
function layOut({ prompt, width, height }: Picture): { readonly lines: readonly string[]; readonly scale: number } {
  const words = printable(prompt);
  for (const scale of scales) {
    const perLine = Math.max(1, Math.floor((width * (1 - 2 * margin)) / (cell.width * scale)));
    const lines = wrap(words, perLine);
    const isWhole = words.split(" ").every((word) => word.length <= perLine);
    const fits = lines.length * cell.height * scale <= height * (1 - 2 * margin);
    if (scale === 1 || (fits && isWhole)) return { lines, scale };
  }
  return { lines: [], scale: 1 };
}

/** Characters that the font lacks, as their code points. */
function printable(text: string): string {
  return text
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[^ -~]/gu, (one) => `<${(one.codePointAt(0) ?? 0).toString(16)}>`);
}

function wrap(text: string, perLine: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((whole) => whole.match(new RegExp(`.{1,${perLine}}`, "g")) ?? [])) {
    if (line !== "" && line.length + 1 + word.length > perLine) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** A diagonal gradient in colors derived from the prompt. */
function background({ prompt, width, height }: Picture): Uint8Array {
  const hue = hueOf(prompt);
  const from = colorOf(hue, 0.35);
  const to = colorOf(hue + 70, 0.62);
  const pixels = new Uint8Array(width * height * 3);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const share = (x / width + y / height) / 2;
      pixels[at++] = from[0] + (to[0] - from[0]) * share;
      pixels[at++] = from[1] + (to[1] - from[1]) * share;
      pixels[at++] = from[2] + (to[2] - from[2]) * share;
    }
  }
  return pixels;
}

interface Place {
  readonly left: number;
  readonly top: number;
  readonly scale: number;
}

/** Draws white letters. */
function drawLine(pixels: Uint8Array, { width, height }: Picture, line: string, { left, top, scale }: Place): void {
  for (let row = 0; row < 8 * scale; row += 1) {
    const y = top + row;
    if (y < 0 || y >= height) continue;
    for (let offset = 0; offset < line.length * cell.width * scale; offset += 1) {
      const x = left + offset;
      const column = Math.floor(offset / scale);
      const character = line[Math.floor(column / cell.width)] ?? " ";
      if (x < width && isInked(character, column % cell.width, Math.floor(row / scale)))
        pixels.fill(255, (y * width + x) * 3, (y * width + x) * 3 + 3);
    }
  }
}

function hueOf(text: string): number {
  let hash = 7;
  for (const one of text) hash = (hash * 31 + (one.codePointAt(0) ?? 0)) % 360;
  return hash;
}

/** A color of a hue in degrees and a lightness from 0 to 1. */
function colorOf(hue: number, lightness: number): Color {
  const channel = (shift: number): number => {
    const turn = (shift + hue / 30) % 12;
    const swing = 0.6 * Math.min(lightness, 1 - lightness);
    return Math.round(255 * (lightness - swing * Math.max(-1, Math.min(turn - 3, 9 - turn, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}
