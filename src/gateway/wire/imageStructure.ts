import { setImmediate as otherWork } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { GatewayError } from "../errors.ts";
import type { ImageFile } from "../types.ts";
import { jpegSegments } from "./jpegSegments.ts";

/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** The type of a file from its first bytes. The declared type is ignored. */
export function imageType(bytes: Uint8Array): ImageFile["type"] | undefined {
  const start = view(bytes).toString("latin1", 0, 12);
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (start.startsWith("\xff\xd8\xff")) return "jpeg";
  return start.startsWith("RIFF") && start.endsWith("WEBP") ? "webp" : undefined;
}

/** Checks image bytes. Throws `GatewayError` of kind `notAnImage` for anything but a complete image. */
export async function readImageFile(bytes: Uint8Array): Promise<ImageFile> {
  const type = imageType(bytes);
  if (type === undefined) throw new GatewayError("notAnImage", "The bytes are not an image.");
  if (!(await isWhole(bytes, type))) throw new GatewayError("notAnImage", "The image is cut off or damaged.");
  return { bytes, type };
}

/**
 * Whether the structure of a file is complete, because a body without a length can break off unnoticed. Like image
 * viewers, ignores bytes after the image. Linear in the number of bytes, in slices.
 */
export function isWhole(bytes: Uint8Array, type: ImageFile["type"]): Promise<boolean> {
  return formats[type].isWhole(view(bytes));
}

/** The size in a file's header; `undefined` if there is none. Does not read the rest of the file. */
export function imageSize(bytes: Uint8Array, type: ImageFile["type"]): ImageSize | undefined {
  return formats[type].size(view(bytes));
}

interface Format {
  isWhole(file: Buffer): Promise<boolean>;
  size(file: Buffer): ImageSize | undefined;
}

const formats: Record<ImageFile["type"], Format> = {
  png: { isWhole: isWholePng, size: pngSize },
  jpeg: { isWhole: isWholeJpeg, size: jpegSize },
  webp: { isWhole: (file) => Promise.resolve(isWholeWebp(file)), size: webpSize },
};

/** Number of bytes that are read at a time: some milliseconds of work. */
const slice = 4 * 1024 * 1024;

/** What a chunk costs besides its bytes, in bytes. */
const costOfChunk = 1_000;

/** Maximum number of chunks, so that a file of empty chunks cannot take seconds. */
const maxChunks = 100_000;

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Whether all chunks and their checksums are present, from header to end (PNG specification, section 5). */
async function isWholePng(file: Buffer): Promise<boolean> {
  let hasPixels = false;
  let checked = 0;
  for (let at = 8, count = 0; at + 12 <= file.length && count < maxChunks; count += 1) {
    const length = file.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > file.length) return false;
    let checksum = 0;
    for (let from = at + 4; from < end - 4; from += slice) {
      const piece = file.subarray(from, Math.min(from + slice, end - 4));
      checksum = crc32(piece, checksum);
      checked += piece.length + costOfChunk;
      if (checked < slice) continue;
      checked = 0;
      await otherWork();
    }
    if (checksum !== file.readUInt32BE(end - 4)) return false;
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
async function isWholeJpeg(file: Buffer): Promise<boolean> {
  let hasFrame = false;
  let hasScan = false;
  for (const { kind, scanned } of jpegSegments(file)) {
    hasFrame ||= kind === "frame";
    hasScan ||= hasFrame && scanned > 0;
    if (kind === "end") return hasScan;
    if (scanned > 0) await otherWork();
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
