import { isAbsolute, relative, sep } from "node:path";

/** Whether an absolute path is a folder or in it. Both are real paths: links are not followed. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
