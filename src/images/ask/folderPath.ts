/** Control characters, lone surrogates, and what Windows reads as a drive or as another stream of a file. */
const unusable = /[\p{Cc}\p{Cs}:]/u;

/** Windows drops dots and spaces at the end of a name, so that these may be something else there. */
const dots = /^[.\s]+$/;

/** The segments of a folder path inside a workspace folder; `undefined` when it leads out of it, or may on some system. */
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
