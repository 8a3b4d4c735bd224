import { crc32 } from "node:zlib";
import type { ImageFile } from "../types.ts";
import { jpegSegments } from "./jpegSegments.ts";

/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Whether the structure of a file is complete, because a body without a length can break off unnoticed. Like image
 * viewers, ignores bytes after the image. Linear in the number of bytes.
 */
export function isWhole(bytes: Uint8Array, type: ImageFile["type"]): boolean {
  return formats[type].isWhole(view(bytes));
}

/** The size in a file's header; `undefined` if there is none. Does not read the rest of the file. */
export function imageSize(bytes: Uint8Array, type: ImageFile["type"]): ImageSize | undefined {
  return formats[type].size(view(bytes));
}

interface Format {
  isWhole(file: Buffer): boolean;
  size(file: Buffer): ImageSize | undefined;
}

const formats: Record<ImageFile["type"], Format> = {
  png: { isWhole: isWholePng, size: pngSize },
  jpeg: { isWhole: isWholeJpeg, size: jpegSize },
  webp: { isWhole: isWholeWebp, size: webpSize },
};

/** Maximum number of chunks, so that a file of empty chunks cannot take seconds. */
const maxChunks = 100_000;

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Whether all chunks and their checksums are present, from header to end (PNG specification, section 5). */
function isWholePng(file: Buffer): boolean {
  let hasPixels = false;
  for (let at = 8, count = 0; at + 12 <= file.length && count < maxChunks; count += 1) {
    const length = file.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > file.length || crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4)) return false;
    const type = file.toString("latin1", at + 4, at + 8);
    if (at === 8 && (type !== "IHDR" || length !== 13)) return false;
    hasPixels ||= type === "IDAT";
    if (type === "IEND") return hasPixels;
    at = end;
  }
  return false;
}

function pngSize(file: Buffer): ImageSize | undefined {
  if (file.length < 24 || file.toString("latin1", 12, 16) !== "IHDR") return undefined;
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
}

/** Whether there are a frame header, a non-empty scan and the end marker. */
function isWholeJpeg(file: Buffer): boolean {
  let hasFrame = false;
  let hasScan = false;
  for (const { kind, scanned } of jpegSegments(file)) {
    hasFrame ||= kind === "frame";
    hasScan ||= hasFrame && scanned > 0;
    if (kind === "end") return hasScan;
  }
  return false;
}

function jpegSize(file: Buffer): ImageSize | undefined {
  for (const { kind, content } of jpegSegments(file)) {
    if (kind !== "frame" || content.length < 5) continue;
    return { width: content.readUInt16BE(3), height: content.readUInt16BE(1) };
  }
  return undefined;
}

/** Whether chunks, including pixels, fill the RIFF container. */
function isWholeWebp(file: Buffer): boolean {
  const end = file.readUInt32LE(4) + 8;
  if (end > file.length) return false;
  let hasPixels = false;
  for (let at = 12, count = 0; at < end; count += 1) {
    if (at + 8 > end || count === maxChunks) return false;
    const length = file.readUInt32LE(at + 4);
    if (at + 8 + length > end) return false;
    hasPixels ||= length > 0 && ["VP8 ", "VP8L", "ANMF"].includes(file.toString("latin1", at, at + 4));
    at += 8 + length + (length % 2);
  }
  return hasPixels;
}

/** The size of the canvas or the single frame, from the first chunk (RFC 9649, section 2). */
function webpSize(file: Buffer): ImageSize | undefined {
  if (file.length < 30) return undefined;
  const chunk = file.toString("latin1", 12, 16);
  if (chunk === "VP8X") return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 };
  if (chunk === "VP8 ") return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff };
  if (chunk !== "VP8L") return undefined;
  const bits = file.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
