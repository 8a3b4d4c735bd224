/** The segments of a folder path inside a workspace folder; `undefined` when it leads out of it. */
export function folderSegments(path: string): readonly string[] | undefined {
  if (/^(?:[\\/~]|[a-z]:)/i.test(path)) return undefined;
  const segments: string[] = [];
  for (const segment of path.split(/[\\/]+/)) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments;
}
