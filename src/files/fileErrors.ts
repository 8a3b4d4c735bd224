import { readdir } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";

/** Whether an error of Node has a code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** Whether an error of Node means that a file or folder does not exist. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, "ENOENT");
}

/** Errors of Windows for a file that another program has open, and the delays before each retry, in milliseconds. */
const locked = ["EPERM", "EACCES", "EBUSY"];
const delays = [50, 100, 200, 400, 800];

/**
 * Retries an operation on files while another program has them open: on Windows, a virus scanner or an indexer often opens
 * a file that was just written. On other systems, these errors mean that permissions are missing.
 */
export async function retryWhileLocked<T>(
  work: () => Promise<T>,
  platform: NodeJS.Platform = process.platform,
): Promise<T> {
  for (const delay of platform === "win32" ? delays : []) {
    try {
      return await work();
    } catch (error) {
      if (!locked.some((code) => hasCode(error, code))) throw error;
      await setTimeout(delay);
    }
  }
  return await work();
}

/** The result of accessing a file; `undefined` if the file is missing, which is what `isExpected` errors mean. */
export async function unlessMissing<T>(access: PromiseLike<T>, isExpected = isMissing): Promise<T | undefined> {
  try {
    return await access;
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
}

/** The names in a folder; none if it does not exist yet. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return (await unlessMissing(readdir(folder))) ?? [];
}
