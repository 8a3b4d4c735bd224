import { GatewayError } from "../gateway/errors.ts";
import type { ImageFile } from "../gateway/types.ts";

/** The first bytes, one character each, that prove a type. */
const signatures: readonly (readonly [ImageFile["type"], RegExp])[] = [
  ["png", /^\x89PNG\r\n/],
  ["jpeg", /^\xff\xd8\xff/],
  ["webp", /^RIFF[^]{4}WEBP/],
];

/** The file of an image whose bytes came with the answer itself. Throws `GatewayError` of kind `notAnImage`. */
export function inlineImage(bytes: Uint8Array): ImageFile {
  const start = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  for (const [type, signature] of signatures) if (signature.test(start)) return { bytes, type };
  throw new GatewayError("notAnImage", "The bytes in the answer are not an image.");
}
