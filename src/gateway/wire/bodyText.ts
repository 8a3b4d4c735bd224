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

/** How much of an image is encoded at a time, in bytes: about a millisecond. A multiple of 3, so that Base64 has no padding inside. */
const pieceSize = 3 * 256 * 1024;

/** The JSON text of a body. Images are encoded piece by piece, so that nothing else has to wait for them. */
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
  const texts = text.split(mark).map((before, index) => {
    const image = images[index];
    return Buffer.from(image ? `${before}data:${image.mimeType};base64,` : before);
  });
  const inBase64 = ({ bytes }: ChatImage): number => Math.ceil(bytes.length / 3) * 4;
  const lengths = [...texts.map(({ length }) => length), ...images.map(inBase64)];
  const body = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, 0));
  let end = 0;
  for (const [index, before] of texts.entries()) {
    end += before.copy(body, end);
    const { bytes = new Uint8Array() } = images[index] ?? {};
    for (let start = 0; start < bytes.length; start += pieceSize) {
      const piece = Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.min(pieceSize, bytes.length - start));
      end += body.write(piece.toString("base64"), end, "latin1");
      await setImmediate();
    }
  }
  return body;
}
