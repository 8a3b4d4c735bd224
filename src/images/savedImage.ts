import type { Uri } from "vscode";
import type { ImageFile } from "../gateway/types.ts";
import { imageSize } from "../gateway/wire/imageStructure.ts";

export interface SavedImage {
  readonly uri: Uri;
  readonly file: ImageFile;
  /** Whether it has too many pixels to be shown automatically. */
  readonly isLarge: boolean;
}

/** Maximum number of pixels of an image that is shown automatically. A small file can decode to gigabytes. */
const maxPixels = 100_000_000;

/** Whether an image has too many pixels to be shown automatically. */
export function isLargeImage({ bytes, type }: ImageFile): boolean {
  const { width, height } = imageSize(bytes, type) ?? { width: 0, height: 0 };
  return width * height > maxPixels;
}

/** Maximum length of a name, in characters and in UTF-8 bytes. With a number and an extension it stays below 255 bytes. */
const maxLength = 60;
const maxBytes = 230;

/** Device names that Windows reserves, with any extension (Microsoft, "Naming Files, Paths, and Namespaces"). */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** Runs of visible letters, digits and marks. */
const words = /(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}\p{M}])+/gu;

/** A file name without extension: letters and digits of the prompt, in any language, joined by hyphens. */
export function fileNameFor(prompt: string): string {
  const name = shortened(Array.from((prompt.normalize("NFC").match(words) ?? []).join("-")));
  if (name === "") return "image";
  return reserved.test(name.normalize("NFKC")) ? `image-${name}` : name;
}

/** Truncates a name to its maximum length, at a hyphen if more than half remains. */
function shortened(characters: readonly string[]): string {
  let fitting = Math.min(characters.length, maxLength);
  while (Buffer.byteLength(characters.slice(0, fitting).join("")) > maxBytes) fitting -= 1;
  const end = fitting < characters.length ? characters.lastIndexOf("-", fitting) : 0;
  return characters.slice(0, end > fitting / 2 ? end : fitting).join("");
}

/** Control characters, lone surrogates, and the colon of drives and streams (Microsoft, "Naming Files, Paths, and Namespaces"). */
const unusable = /[\p{Cc}\p{Cs}:]/u;

/** Names of only dots and spaces, which Windows strips from the end of a name (same source). */
const dots = /^[.\s]+$/;

/** The segments of a path inside a workspace folder; `undefined` if it leads outside, or might on some system. */
export function folderSegments(path: string): readonly string[] | undefined {
  if (/^[\\/~]/.test(path) || unusable.test(path)) return undefined;
  const segments: string[] = [];
  for (const segment of path.split(/[\\/]+/)) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") {
      if (dots.test(segment)) return undefined;
      segments.push(segment);
    } else if (segments.pop() === undefined) return undefined;
  }
  return segments;
}
