import { setImmediate } from "node:timers/promises";
import type { JsonObject } from "../../base/json.ts";
import type { ChatImage } from "../types.ts";

/** An image in a body. It becomes a `data:` URL (RFC 2397) when the body becomes text. */
export class DataUrl {
  readonly image: ChatImage;

  constructor(image: ChatImage) {
    this.image = image;
  }
}

/** The JSON text of a body. Images are encoded one by one, so that nothing else waits for all of them. */
export async function bodyText(json: JsonObject): Promise<string | Buffer> {
  const images: ChatImage[] = [];
  // Random, so that no text in the body can be taken for an image.
  const mark = crypto.randomUUID();
  const text = JSON.stringify(json, (_, value: unknown) => {
    // Lone surrogates, as in a text cut inside an emoji, make JSON unpredictable (RFC 8259, 8.2).
    if (typeof value === "string") return value.toWellFormed();
    if (!(value instanceof DataUrl)) return value;
    images.push(value.image);
    return mark;
  });
  if (images.length === 0) return text;
  const [start = "", ...others] = text.split(mark);
  const pieces = [Buffer.from(start)];
  for (const [index, { mimeType, bytes }] of images.entries()) {
    await setImmediate();
    const { buffer, byteOffset, byteLength } = bytes;
    const base64 = Buffer.from(buffer, byteOffset, byteLength).toString("base64");
    pieces.push(Buffer.from(`data:${mimeType};base64,${base64}`), Buffer.from(others[index] ?? ""));
  }
  return Buffer.concat(pieces);
}
