import { crc32 } from "node:zlib";
import { GatewayError } from "../errors.ts";
import type { ImageFile } from "../types.ts";

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
export function readImageFile(bytes: Uint8Array): ImageFile {
  const type = imageType(bytes);
  if (type === undefined) throw new GatewayError("notAnImage", "The bytes are not an image.");
  if (!isWhole(bytes, type)) throw new GatewayError("notAnImage", "The image is cut off or damaged.");
  return { bytes, type };
}

/**
 * Whether the structure of a file is complete, because a body without a length can break off unnoticed. Like image
 * viewers, ignores bytes after the image. Linear in the number of bytes: less than a tenth of a second for 64 MB.
 */
export function isWhole(bytes: Uint8Array, type: ImageFile["type"]): boolean {
  return formats[type].isWhole(view(bytes));
}

/** The size in a file's header; `undefined` if there is none. Does not read the rest of the file. */
export function imageSize(bytes: Uint8Array, type: ImageFile["type"]): ImageSize | undefined {
  return formats[type].size(view(bytes));
}

const formats = {
  png: { isWhole: isWholePng, size: pngSize },
  jpeg: { isWhole: isWholeJpeg, size: (file: Buffer) => readJpeg(file).size },
  webp: { isWhole: isWholeWebp, size: webpSize },
};

/** Maximum number of chunks or segments, so that a file of empty ones cannot take seconds. */
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

const startOfScan = 0xda;
const endOfImage = Buffer.from([0xff, 0xd9]);

/** Exceptions among the start-of-frame markers C0 to CF: tables (C4, CC) and a reserved one (C8). */
const notFrames: ReadonlySet<number> = new Set([0xc4, 0xc8, 0xcc]);

/** The size in the frame header, and the position of the first scan's data (ITU-T T.81, annex B). */
function readJpeg(file: Buffer): { readonly size?: ImageSize | undefined; readonly scanData?: number } {
  let size: ImageSize | undefined;
  for (let at = 2, count = 0; file[at] === 0xff && count < maxChunks; count += 1) {
    // A marker may be preceded by any number of fill bytes.
    while (file[at + 1] === 0xff) at += 1;
    if (at + 4 > file.length) break;
    const marker = file[at + 1] ?? 0;
    const end = at + 2 + file.readUInt16BE(at + 2);
    if (marker === startOfScan) return { size, scanData: end };
    const isFrame = marker >= 0xc0 && marker <= 0xcf && !notFrames.has(marker) && at + 9 <= file.length;
    if (isFrame) size ??= { width: file.readUInt16BE(at + 7), height: file.readUInt16BE(at + 5) };
    // A length includes its own two bytes.
    if (end < at + 4) break;
    at = end;
  }
  return { size };
}

/** Whether an end follows the frame and the data of a scan, in which it cannot occur. */
function isWholeJpeg(file: Buffer): boolean {
  const { size, scanData = file.length } = readJpeg(file);
  return size !== undefined && file.indexOf(endOfImage, scanData) > scanData;
}

/** Whether the whole RIFF container is present. */
function isWholeWebp(file: Buffer): boolean {
  const end = file.readUInt32LE(4) + 8;
  return end >= webpHeader && end <= file.length;
}

/** Length of a WebP file up to the size in its first chunk, in bytes. */
const webpHeader = 30;

/** The size of the canvas or the single frame, from the first chunk (RFC 9649, section 2). */
function webpSize(file: Buffer): ImageSize | undefined {
  if (file.length < webpHeader) return undefined;
  const chunk = file.toString("latin1", 12, 16);
  if (chunk === "VP8X") return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 };
  if (chunk === "VP8 ") return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff };
  if (chunk !== "VP8L") return undefined;
  const bits = file.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
