import type { Uri } from "vscode";
import type { ImageFile } from "../gateway/types.ts";
import { imageSize } from "../gateway/wire/imageStructure.ts";

/** A saved image. */
export interface SavedImage {
  readonly uri: Uri;
  readonly file: ImageFile;
  /** Megapixels, if too many to show the image automatically. */
  readonly megapixels: number | undefined;
}

/** Maximum megapixels of an image that is shown automatically. A small file can decode to gigabytes. */
const mostShown = 100;

/** An image's megapixels, if too many to show it automatically; else `undefined`. */
export function excessiveMegapixels({ bytes, type }: ImageFile): number | undefined {
  const { width, height } = imageSize(bytes, type) ?? { width: 0, height: 0 };
  const megapixels = (width * height) / 1_000_000;
  return megapixels > mostShown ? megapixels : undefined;
}
