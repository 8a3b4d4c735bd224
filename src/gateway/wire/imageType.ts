import type { ImageFile } from "../types.ts";

/** What the first bytes prove a file to be; what a server declares counts for nothing. */
export function imageType(bytes: Uint8Array): ImageFile["type"] | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(12, bytes.length)).toString("latin1");
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "png";
  if (start.startsWith("\xff\xd8\xff")) return "jpeg";
  return start.startsWith("RIFF") && start.endsWith("WEBP") ? "webp" : undefined;
}

/** Whether the file has its end: a body without a length may break off unnoticed. */
export function isWhole(bytes: Uint8Array, type: ImageFile["type"]): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (type === "png") return file.lastIndexOf("IEND", undefined, "latin1") > 0;
  if (type === "jpeg") return file.lastIndexOf("\xff\xd9", undefined, "latin1") > 0;
  return file.length >= file.readUInt32LE(4) + 8;
}
