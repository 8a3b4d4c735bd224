import fc from "fast-check";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { diskAppender } from "../../src/usage/appendLine.ts";
import { foldUsage } from "../../src/usage/foldUsage.ts";
import { Ledger } from "../../src/usage/ledger.ts";
import { sumOf } from "../../src/usage/usageRow.ts";

const count = 3;

/** What happens to a window, or to all. `fill` and `free`: its disk. */
const events = fc.array(
  fc.tuple(
    fc.constantFrom("add", "add", "add", "flush", "read", "close", "crash", "fold", "clear", "fill", "free"),
    fc.nat(count - 1),
  ),
  { minLength: 5, maxLength: 40 },
);

describe("the ledger, whatever happens in whatever order", function () {
  this.timeout(60_000);

  it("has what was written and what is in memory since the last Clear", async () => {
    await fc.assert(
      fc.asyncProperty(events, async (list) => {
        const world = new World();
        try {
          for (const [event, index] of list) await world.happen(event, index);
          await world.end();
        } finally {
          world.remove();
        }
      }),
      { numRuns: 200 },
    );
  });
});

/** A window, with the number of requests that are only in its memory. */
interface Window {
  ledger: Ledger;
  isFull: boolean;
  inMemory: number;
}

/** Windows that share a ledger, and what it should have. */
class World {
  readonly #folder = mkdtempSync(join(tmpdir(), "usage-"));
  readonly #windows: Window[] = Array.from({ length: count }, () => this.#opened());
  #now = new Date(2026, 10, 21, 23, 59, 58).getTime();
  #written = 0;

  async happen(event: string, index: number): Promise<void> {
    const window = this.#windows[index];
    assert.ok(window);
    this.#now += 300;
    if (event === "add") {
      window.ledger.add({ model: "m", feature: "chat", entry: "primary", requests: 1 });
      window.inMemory += 1;
    } else if (event === "flush") await this.#flush(window);
    else if (event === "read") {
      await this.#flush(window);
      assert.equal(await this.#readBy(window), this.#written + window.inMemory);
    } else if (event === "close") {
      // Nothing else can save what is in memory.
      window.isFull = false;
      window.ledger.dispose();
      this.#written += window.inMemory;
      this.#windows[index] = this.#opened();
    } else if (event === "crash") this.#windows[index] = this.#opened();
    else if (event === "fold") {
      await foldUsage({ folder: this.#folder, now: () => this.#now, idle: -Infinity, enough: 1, grace: 0 });
    } else if (event === "clear") {
      await window.ledger.clear();
      this.#written = 0;
      for (const each of this.#windows) each.inMemory = 0;
    } else window.isFull = event === "fill";
  }

  /** Every disk has room again. */
  async end(): Promise<void> {
    for (const window of this.#windows) {
      window.isFull = false;
      await this.#flush(window);
    }
    assert.equal(await this.#readBy(this.#opened()), this.#written);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #flush(window: Window): Promise<void> {
    await window.ledger.flush();
    if (window.isFull) return;
    this.#written += window.inMemory;
    window.inMemory = 0;
  }

  async #readBy({ ledger }: Window): Promise<number> {
    return sumOf((await ledger.read()).rows).requests;
  }

  #opened(): Window {
    const throwIfFull = (): void => {
      if (window.isFull) throw Object.assign(new Error("No space left on device."), { code: "ENOSPC" });
    };
    const ledger = new Ledger({
      folder: this.#folder,
      now: () => this.#now,
      delay: 3_600_000,
      appender: {
        append: async (...call) => {
          throwIfFull();
          await diskAppender.append(...call);
        },
        appendNow: (...call) => {
          throwIfFull();
          diskAppender.appendNow(...call);
        },
      },
    });
    const window: Window = { ledger, isFull: false, inMemory: 0 };
    return window;
  }
}
