import assert from "node:assert/strict";
import { whileLocked } from "../../src/text/fileErrors.ts";

/** Fails so often with a code, and says how often it was tried. */
function failing(code: string, times: number): { readonly work: () => Promise<string>; readonly tries: () => number } {
  let tries = 0;
  const work = (): Promise<string> => {
    tries += 1;
    return tries <= times ? Promise.reject(Object.assign(new Error(code), { code })) : Promise.resolve("done");
  };
  return { work, tries: () => tries };
}

describe("a file that another program has open", () => {
  for (const code of ["EPERM", "EACCES", "EBUSY"]) {
    it(`is tried again on Windows, and nowhere else: ${code}`, async () => {
      const windows = failing(code, 2);
      assert.equal(await whileLocked(windows.work, "win32"), "done");
      assert.equal(windows.tries(), 3);
      for (const platform of ["linux", "darwin"] as const) {
        const other = failing(code, 2);
        await assert.rejects(whileLocked(other.work, platform), { code });
        assert.equal(other.tries(), 1);
      }
    });
  }

  it("fails in the end if it stays open", async () => {
    const { work, tries } = failing("EBUSY", 100);
    await assert.rejects(whileLocked(work, "win32"), { code: "EBUSY" });
    assert.equal(tries(), 6);
  });

  it("fails at once for another reason", async () => {
    const { work, tries } = failing("ENOSPC", 1);
    await assert.rejects(whileLocked(work, "win32"), { code: "ENOSPC" });
    assert.equal(tries(), 1);
  });
});
