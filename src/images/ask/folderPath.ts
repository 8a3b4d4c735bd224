/**
 * Control characters, lone surrogates, and the colon, which on Windows separates drives and file streams (Microsoft,
 * "Naming Files, Paths, and Namespaces").
 */
const unusable = /[\p{Cc}\p{Cs}:]/u;

/**
 * Names of only dots and spaces. Windows strips both from the end of a name (Microsoft, "Naming Files, Paths, and
 * Namespaces").
 */
const dots = /^[.\s]+$/;

/**
 * The segments of a folder path inside a workspace folder; `undefined` if it leads outside, or might on some system.
 */
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
