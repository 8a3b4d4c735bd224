import { unseenIn } from "./unseen.ts";

/** Names that mean devices on Windows, with any extension. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/i;

/** Whether a name is a random UUID, as `crypto.randomUUID` gives them: never a path. */
export function isUuid(name: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(name);
}

/** The longest name of a file, in bytes, on common file systems. */
const longestName = 255;

/**
 * Whether a path has a name that a file cannot have, or that would name another file or look like another name:
 * Windows drops blanks and dots at the end, and some characters are invisible or change the direction of what follows.
 */
export function hasUnusableName(path: string, platform: NodeJS.Platform = process.platform): boolean {
  return path.split("/").some((name) => {
    if (Buffer.byteLength(name) > longestName || /[. ]$/.test(name) || unseenIn(name).size > 0) return true;
    return platform === "win32" && (device.test(name) || /[<>"|?*]/.test(name));
  });
}
