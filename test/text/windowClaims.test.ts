import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { WindowClaims } from "../../src/text/windowClaims.ts";
import { testFolder } from "../support/testFolder.ts";

describe("work that a window claims", () => {
  const folder = testFolder();

  it("is known to all windows until it is released, and can be claimed by another one then", async () => {
    const [one, other] = [new WindowClaims(folder()), new WindowClaims(folder())];
    assert.equal(await one.take("work"), true);
    assert.deepEqual([await other.take("work"), await other.take("more")], [false, true]);
    assert.deepEqual([await one.taken(), await other.taken()], [new Set(["more"]), new Set(["work"])]);
    await one.release("work");
    assert.equal(await other.take("work"), true);
  });

  it("is free again after the process of its window is killed", async () => {
    const module = new URL("../../src/text/windowClaims.ts", import.meta.url).href;
    const code = `const { WindowClaims } = await import(${JSON.stringify(module)});
      console.log(await new WindowClaims(process.argv[1]).take("work")); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", code, folder()]);
    const [said] = (await once(child.stdout, "data")) as [Buffer];
    assert.equal(String(said).trim(), "true");
    const here = new WindowClaims(folder());
    assert.equal(await here.take("work"), false);
    child.kill("SIGKILL");
    await once(child, "exit");
    assert.equal(await here.take("work"), true);
    assert.equal(readdirSync(folder()).length, 1);
  });

  it("is not read from other files of the folder, which are never deleted", async () => {
    mkdirSync(folder(), { recursive: true });
    const id = crypto.randomUUID();
    const names = [id, `${id}.json`, "work", "work.txt"];
    for (const name of names) writeFileSync(join(folder(), name), "");
    assert.equal((await new WindowClaims(folder()).taken()).size, 0);
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
        const windows = Array.from({ length: 3 }, () => new WindowClaims(parent, life));
        const results = Promise.all(windows.map((window) => window.take("work")));
        const got = await scheduler.waitFor(results);
        assert.ok(got.filter(Boolean).length <= 1);
      }),
      { numRuns: 100 },
    );
  });
});
