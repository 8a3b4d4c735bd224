import { GatewayError } from "../errors.ts";
import type { ImageFile } from "../types.ts";
import { isWhole } from "./imageStructure.ts";

/** The type of a file from its first bytes. The declared type is ignored. */
export function imageType(bytes: Uint8Array): ImageFile["type"] | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(12, bytes.length)).toString("latin1");
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
