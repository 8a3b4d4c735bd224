import { readdir } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";

/** Whether an error of Node has a code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** Whether an error of Node says that a file or folder does not exist. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, "ENOENT");
}

/** What Windows says of a file that another program has open, and milliseconds before each new attempt. */
const locked = ["EPERM", "EACCES", "EBUSY"];
const pauses = [50, 100, 200, 400, 800];

/**
 * Does something to files, again while another program has them open: on Windows, a virus scanner or an indexer often has
 * what was just written. Elsewhere these errors mean that it is not allowed.
 */
export async function whileLocked<T>(work: () => Promise<T>, platform: NodeJS.Platform = process.platform): Promise<T> {
  for (const pause of platform === "win32" ? pauses : []) {
    try {
      return await work();
    } catch (error) {
      if (!locked.some((code) => hasCode(error, code))) throw error;
      await setTimeout(pause);
    }
  }
  return await work();
}

/** What an access to a file gives; `undefined` where nothing is there, which `isNothing` may know better. */
export async function unlessMissing<T>(access: PromiseLike<T>, isNothing = isMissing): Promise<T | undefined> {
  try {
    return await access;
  } catch (error) {
    if (isNothing(error)) return undefined;
    throw error;
  }
}

/** The names in a folder; none if it does not exist yet. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return (await unlessMissing(readdir(folder))) ?? [];
}
