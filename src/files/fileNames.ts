import { invisibleIn } from "../text/hiddenText.ts";

/** Names of devices on Windows, with any extension. */
const device = /^(?:con(?:in\$|out\$)?|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]) *(?:\..*)?$/i;

/** Whether a name is a UUID in the form of `crypto.randomUUID`, and so not a path. */
export function isUuid(name: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(name);
}

/** Maximum length of a file name, in bytes, on common file systems. */
const maxNameBytes = 255;

/**
 * Whether a path contains a name that is invalid, refers to another file, or looks like another name: Windows drops spaces
 * and dots at the end of names, and some characters are invisible or change the direction of text.
 */
export function hasUnusableName(path: string, platform: NodeJS.Platform = process.platform): boolean {
  return path.split("/").some((name) => {
    if (Buffer.byteLength(name) > maxNameBytes || /[. ]$/.test(name) || invisibleIn(name).size > 0) return true;
    return platform === "win32" && (device.test(name) || /[<>"|?*]/.test(name));
  });
}
