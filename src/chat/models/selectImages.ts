import { UserError } from "../../failures/userError.ts";
import type { ChatImage } from "../../gateway/types.ts";
import { maxImageBytes, promptImage } from "../../prompts/promptImages.ts";

/** An image for a question. The user chose the required ones. */
export interface FoundImage<Source> {
  readonly source: Source;
  readonly bytes: Uint8Array;
  readonly isRequired: boolean;
}

/**
 * The images that can be sent together, in the given order, required ones first. Throws `UserError` of kind `imageInput` or
 * `imagesTooLarge` for a required image of a type that models don't take, or that does not fit. Others are left out.
 */
export function selectImages<Source>(found: readonly FoundImage<Source>[]): ReadonlyMap<Source, ChatImage> {
  const images = new Map<Source, ChatImage>();
  let room = maxImageBytes;
  for (const { source, bytes, isRequired } of found.toSorted(
    (one, other) => Number(other.isRequired) - Number(one.isRequired),
  )) {
    const image = promptImage(bytes);
    if (image && bytes.length <= room) {
      images.set(source, image);
      room -= bytes.length;
    } else if (isRequired) throw new UserError(image ? "imagesTooLarge" : "imageInput");
  }
  return images;
}
