import fc from "fast-check";
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ledger } from "../../src/usage/ledger.ts";
import { sumOf } from "../../src/usage/usageRow.ts";

const count = 3;

/** What happens to a window, or to all. `fill` and `free`: the disk. */
const events = fc.array(
  fc.tuple(
    fc.constantFrom("add", "add", "add", "flush", "read", "close", "crash", "clear", "fill", "free"),
    fc.nat(count - 1),
  ),
  { minLength: 5, maxLength: 40 },
);

describe("the ledger, whatever happens in whatever order", function () {
  this.timeout(60_000);

  it("has what was recorded since the last Clear", async () => {
    await fc.assert(fc.asyncProperty(events, holds), { numRuns: 200 });
  });
});

/** Lets events happen to windows that share a ledger, and compares what it has with what it should have. */
async function holds(list: readonly (readonly [event: string, index: number])[]): Promise<void> {
  using cleanup = new DisposableStack();
  const parent = mkdtempSync(join(tmpdir(), "usage-"));
  cleanup.defer(() => {
    rmSync(parent, { recursive: true, force: true });
  });
  const [folder, aside] = [join(parent, "ledger"), join(parent, "aside")];
  let now = Date.now();
  let written = 0;
  let isFull = false;

  /** A window, with the number of requests that are only in its memory. */
  const opened = () => ({ ledger: new Ledger({ folder, now: () => now, delay: 3_600_000 }), inMemory: 0 });
  type Window = ReturnType<typeof opened>;
  const flush = (window: Window): void => {
    window.ledger.flush();
    if (isFull) return;
    written += window.inMemory;
    window.inMemory = 0;
  };
  /** While the disk is full, a file stands where the folder should be. */
  const fill = (becomesFull: boolean): void => {
    if (isFull === becomesFull) return;
    isFull = becomesFull;
    if (isFull) {
      mkdirSync(folder, { recursive: true });
      renameSync(folder, aside);
      writeFileSync(folder, "");
    } else {
      rmSync(folder);
      renameSync(aside, folder);
    }
  };
  const check = async ({ ledger }: Window): Promise<void> => {
    assert.equal(sumOf((await ledger.read()).rows).requests, written);
  };

  const windows = Array.from({ length: count }, opened);
  for (const [event, index] of list) {
    const window = windows[index];
    assert.ok(window);
    now += 300;
    if (event === "add") {
      window.ledger.add({ model: "m", feature: "chat", entry: "primary", requests: 1 });
      window.inMemory += 1;
    } else if (event === "flush") flush(window);
    else if (event === "crash") windows[index] = opened();
    else fill(event === "fill");
    if (event === "read") {
      flush(window);
      await check(window);
    } else if (event === "close") {
      window.ledger.dispose();
      written += window.inMemory;
      windows[index] = opened();
    } else if (event === "clear") {
      await window.ledger.clear();
      written = 0;
      window.inMemory = 0;
    }
  }
  fill(false);
  for (const window of windows) flush(window);
  await check(opened());
}
