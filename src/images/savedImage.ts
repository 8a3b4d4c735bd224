import type { Uri } from "vscode";
import type { ImageFile } from "../gateway/types.ts";
import { imageSize } from "../gateway/wire/imageStructure.ts";

/** An image that is a file of the workspace now. */
export interface SavedImage {
  readonly uri: Uri;
  readonly file: ImageFile;
  /** Millions of pixels, where these are too many to show the image by itself. */
  readonly megapixels: number | undefined;
}

/** A picture with more is not decoded unless the user asks for it: a small file can take gigabytes of memory. */
const mostShown = 100;

/** How many millions of pixels an image has, where these are too many to show it by itself. */
export function excessiveMegapixels({ bytes, type }: ImageFile): number | undefined {
  const { width, height } = imageSize(bytes, type) ?? { width: 0, height: 0 };
  const megapixels = (width * height) / 1_000_000;
  return megapixels > mostShown ? megapixels : undefined;
}
