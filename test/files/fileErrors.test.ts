import { retryWhileLocked } from "../../src/files/fileErrors.ts";
import { each } from "../support/each.ts";

describe("a file that another program has open", () => {
  each<[string, number, NodeJS.Platform], readonly [string, number]>([
    ["is tried again on Windows where it may not be touched", "EPERM", 2, "win32", ["done", 3]],
    ["is tried again on Windows where it may not be read", "EACCES", 2, "win32", ["done", 3]],
    ["is tried again on Windows where it is busy", "EBUSY", 2, "win32", ["done", 3]],
    ["is tried once elsewhere", "EPERM", 2, "linux", ["EPERM", 1]],
    ["fails in the end if it stays open", "EBUSY", 100, "win32", ["EBUSY", 6]],
    ["fails at once for another reason", "ENOSPC", 1, "win32", ["ENOSPC", 1]],
  ]).gives(async (code, times, platform) => {
    let tries = 0;
    const work = (): Promise<string> => {
      tries += 1;
      return tries <= times ? Promise.reject(Object.assign(new Error(code), { code })) : Promise.resolve("done");
    };
    const end = await retryWhileLocked(work, platform).catch((error: unknown) => (error as NodeJS.ErrnoException).code);
    return [end, tries];
  });
});
