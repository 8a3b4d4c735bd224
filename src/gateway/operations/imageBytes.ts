import { GatewayError } from "../errors.ts";
import type { HttpAnswer } from "../network/exchange.ts";
import type { ImageFile } from "../types.ts";
import { header } from "../wire/headers.ts";
import { imageType, isWhole } from "../wire/imageStructure.ts";

/** Maximum size of a file, in bytes. */
const maxSize = 64 * 1024 * 1024;

/** Initial buffer size. A declared length allocates nothing before the data arrives. */
const firstSize = 1024 * 1024;

/**
 * Reads an image file from an answer's body. Throws `GatewayError`: `tooLarge`, `notAnImage`, or `connectionLost` for
 * an incomplete file; and what the body throws.
 */
export async function readImage({ status, headers, body }: HttpAnswer): Promise<ImageFile> {
  const declared = Number(header(headers, "content-length") ?? 0);
  if (declared > maxSize) {
    await body.return();
    throw tooLarge(status);
  }
  let bytes = new Uint8Array(0);
  let size = 0;
  for await (const chunk of body) {
    const needed = size + chunk.length;
    if (needed > maxSize) throw tooLarge(status);
    if (needed > bytes.length) bytes = grown(bytes, needed, declared);
    bytes.set(chunk, size);
    size = needed;
  }
  const whole = bytes.subarray(0, size);
  const type = imageType(whole);
  if (type === undefined) throw new GatewayError("notAnImage", "The link leads to something else.", { status });
  if (await isWhole(whole, type)) return { bytes: whole, type };
  throw new GatewayError("connectionLost", "The file is cut off or damaged.", { status, sent: "maybe" });
}

/** Doubles the buffer, up to the declared size while that holds. */
function grown(bytes: Uint8Array<ArrayBuffer>, needed: number, declared: number): Uint8Array<ArrayBuffer> {
  const ample = Math.max(needed, bytes.length * 2, firstSize);
  const larger = new Uint8Array(declared >= needed ? Math.min(ample, declared) : ample);
  larger.set(bytes);
  return larger;
}

function tooLarge(status: number): GatewayError {
  return new GatewayError("tooLarge", "The image file is larger than 64 MB.", { status });
}
