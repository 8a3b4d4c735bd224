import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { WindowLocks } from "../../src/files/windowLocks.ts";
import { testFolder } from "../support/testFolder.ts";

describe("a lock of a window", () => {
  const folder = testFolder();

  it("is known to all windows until it is released, and can be acquired by another one then", async () => {
    const [one, other] = [new WindowLocks(folder()), new WindowLocks(folder())];
    assert.equal(await one.acquire("work"), true);
    assert.deepEqual([await other.acquire("work"), await other.acquire("more")], [false, true]);
    assert.deepEqual([await one.heldByOthers(), await other.heldByOthers()], [new Set(["more"]), new Set(["work"])]);
    await one.release("work");
    assert.equal(await other.acquire("work"), true);
  });

  it("is free again after the process of its window is killed", async () => {
    const module = new URL("../../src/files/windowLocks.ts", import.meta.url).href;
    const code = `const { WindowLocks } = await import(${JSON.stringify(module)});
      console.log(await new WindowLocks(process.argv[1]).acquire("work")); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", code, folder()]);
    const [said] = (await once(child.stdout, "data")) as [Buffer];
    assert.equal(String(said).trim(), "true");
    const here = new WindowLocks(folder());
    assert.equal(await here.acquire("work"), false);
    child.kill("SIGKILL");
    await once(child, "exit");
    assert.equal(await here.acquire("work"), true);
    assert.equal(readdirSync(folder()).length, 1);
  });

  it("is not read from other files of the folder, which are never deleted", async () => {
    const id = crypto.randomUUID();
    const names = [id, `${id}.json`, "work", "work.txt"];
    for (const name of names) writeFileSync(join(folder(), name), "");
    assert.equal((await new WindowLocks(folder()).heldByOthers()).size, 0);
    assert.deepEqual(readdirSync(folder()).sort(), names.sort());
  });

  it("is never given to two windows", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const alive = new Set<string>();
        const life = {
          start: scheduler.scheduleFunction((window: string) => Promise.resolve(void alive.add(window))),
          isAlive: scheduler.scheduleFunction((window: string) => Promise.resolve(alive.has(window))),
        };
        const parent = join(folder(), crypto.randomUUID());
        const windows = Array.from({ length: 3 }, () => new WindowLocks(parent, life));
        const results = Promise.all(windows.map((window) => window.acquire("work")));
        const got = await scheduler.waitFor(results);
        assert.ok(got.filter(Boolean).length <= 1);
      }),
      { numRuns: 100 },
    );
  });
});
