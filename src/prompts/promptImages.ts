import type { ChatImage, ChatMessage } from "../gateway/types.ts";
import { imageSize, imageType } from "../gateway/wire/imageStructure.ts";

/** Maximum size of the images of a question together, in bytes. */
export const maxImageBytes = 20_000_000;

/** The image in these bytes, whose type is detected from the content; `undefined` for types that models don't accept. */
export function promptImage(bytes: Uint8Array): ChatImage | undefined {
  const isGif = /^GIF8[79]a/.test(new TextDecoder("latin1").decode(bytes.subarray(0, 6)));
  const type = isGif ? "gif" : imageType(bytes);
  return type && { mimeType: `image/${type}`, bytes };
}

/** All images of messages. */
export function imagesIn(messages: readonly ChatMessage[]): readonly ChatImage[] {
  return messages.flatMap((message) => ("images" in message ? (message.images ?? []) : []));
}

/** Estimates the tokens of images. */
export function imageTokens(images: readonly ChatImage[]): number {
  return images.reduce((sum, image) => sum + tokensOf(image), 0);
}

/** Tokens of an image of unknown size, as for 2048 × 4096 pixels. */
const unknownSize = 1_105;

/** Number of bytes that are searched for the header with the size. Photos may have metadata before it. */
const headerBytes = 256_000;

/**
 * OpenAI's rule for high detail, which is the default: the image is made to fit 2048 × 2048 pixels, then its shorter side
 * 768, and costs 85 tokens and 170 for each square of 512 (developers.openai.com/api/docs/guides/images-vision).
 */
function tokensOf({ bytes }: ChatImage): number {
  const type = imageType(bytes);
  const size = type && imageSize(bytes.subarray(0, headerBytes), type);
  if (!size || size.width === 0 || size.height === 0) return unknownSize;
  const fit = Math.min(1, 2048 / Math.max(size.width, size.height));
  const scale = fit * Math.min(1, 768 / (fit * Math.min(size.width, size.height)));
  const squares = Math.ceil((scale * size.width) / 512) * Math.ceil((scale * size.height) / 512);
  return 85 + 170 * squares;
}
