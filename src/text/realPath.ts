import { lstat, realpath } from "node:fs/promises";
import { dirname, isAbsolute, relative, sep } from "node:path";

/** Whether an absolute path is a folder or in it. Both are real paths: links are not followed. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The path with all links resolved; `undefined` for missing files. */
export async function realPathOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch {
    return undefined;
  }
}

/** Whether a path without links is inside one of the roots, after resolving the links of the roots. */
export async function isInsideAny(real: string, roots: readonly string[]): Promise<boolean> {
  const realRoots = await Promise.all(roots.map(realPathOf));
  return realRoots.some((root) => root !== undefined && isInside(real, root));
}

/**
 * Whether a path, which need not exist yet, is inside one of the roots when every link is followed. A link to nowhere, or
 * one that cannot be followed, leads out.
 */
export async function isReallyInside(path: string, roots: readonly string[]): Promise<boolean> {
  try {
    return await isInsideAny(await nearest(path), roots);
  } catch {
    return false;
  }
}

/** The real path of the nearest ancestor that exists. */
async function nearest(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    // A link may lead to what does not exist yet; whoever writes there creates it.
    const isMissing = hasCode(error, "ENOENT") && !(await exists(path));
    if ((!isMissing && !hasCode(error, "ENOTDIR")) || dirname(path) === path) throw error;
    return await nearest(dirname(path));
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
