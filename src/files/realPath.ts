import { lstat, realpath } from "node:fs/promises";
import system, { basename, dirname, join, type PlatformPath, relative, sep } from "node:path";
import { hasCode } from "./fileErrors.ts";

/** Whether an absolute path is a folder or inside it. Does not resolve links. */
export function isInside(path: string, folder: string, paths: PlatformPath = system): boolean {
  const inside = paths.relative(folder, path);
  return inside !== ".." && !inside.startsWith(`..${paths.sep}`) && !paths.isAbsolute(inside);
}

/** The path with all links resolved; `undefined` for missing files. */
export async function realPathOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch {
    return undefined;
  }
}

/** The path with all links resolved. The file need not exist yet. */
export async function targetOf(path: string): Promise<string> {
  const real = await realPathOf(path);
  if (real !== undefined || dirname(path) === path) return real ?? path;
  return join(await targetOf(dirname(path)), basename(path));
}

/** The paths of a file, relative to each root that contains it, with "/" as the separator. `real` has no links. */
export async function pathsInRoots(real: string, roots: readonly string[]): Promise<readonly string[]> {
  const realRoots = await Promise.all(roots.map(targetOf));
  return realRoots.filter((root) => isInside(real, root)).map((root) => relative(root, real).replaceAll(sep, "/"));
}

/** Whether a path is inside a root once all links are resolved. The file need not exist yet; broken links count as outside. */
export async function isReallyInside(path: string, roots: readonly string[]): Promise<boolean> {
  try {
    return (await pathsInRoots(await nearest(path), roots)).length > 0;
  } catch {
    return false;
  }
}

/** The real path of the nearest ancestor that exists. */
async function nearest(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    // A link may point to a missing target, which writing would create.
    const isMissing = hasCode(error, "ENOENT") && !(await exists(path));
    if ((!isMissing && !hasCode(error, "ENOTDIR")) || dirname(path) === path) throw error;
    return await nearest(dirname(path));
  }
}

/** Whether there is a file, a folder or a link, even a broken one: `HEAD` may link to a branch that has no commit yet. */
export async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}
