import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** The permissions of a folder, and then of all that is in it. */
export async function modesIn(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder, { recursive: true });
  const paths = [folder, ...names.map((name) => join(folder, name))];
  return await Promise.all(paths.map(async (path) => (await stat(path)).mode & 0o777));
}
