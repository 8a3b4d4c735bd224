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
  readonly ledger: Ledger;
  inMemory: number;
}

/** Windows that share a ledger, and what it should have. */
class World {
  readonly #parent = mkdtempSync(join(tmpdir(), "usage-"));
  readonly #folder = join(this.#parent, "ledger");
  readonly #aside = join(this.#parent, "aside");
  readonly #windows: Window[] = Array.from({ length: count }, () => this.#opened());
  #now = Date.now();
  #written = 0;
  #isFull = false;

  async happen(event: string, index: number): Promise<void> {
    const window = this.#windows[index];
    assert.ok(window);
    this.#now += 300;
    if (event === "add") {
      window.ledger.add({ model: "m", feature: "chat", entry: "primary", requests: 1 });
      window.inMemory += 1;
    } else if (event === "flush") this.#flush(window);
    else if (event === "fill" || event === "free") this.#fill(event === "fill");
    else if (event === "crash") this.#windows[index] = this.#opened();
    else {
      this.#fill(false);
      if (event === "read") {
        this.#flush(window);
        assert.equal(await this.#readBy(window), this.#written);
      } else if (event === "close") {
        window.ledger.dispose();
        this.#written += window.inMemory;
        this.#windows[index] = this.#opened();
      } else {
        await window.ledger.clear();
        this.#written = 0;
        window.inMemory = 0;
      }
    }
  }

  /** The disk has room again. */
  async end(): Promise<void> {
    this.#fill(false);
    for (const window of this.#windows) this.#flush(window);
    assert.equal(await this.#readBy(this.#opened()), this.#written);
  }

  remove(): void {
    rmSync(this.#parent, { recursive: true, force: true });
  }

  #flush(window: Window): void {
    window.ledger.flush();
    if (this.#isFull) return;
    this.#written += window.inMemory;
    window.inMemory = 0;
  }

  /** While the disk is full, a file stands where the folder should be. */
  #fill(isFull: boolean): void {
    if (this.#isFull === isFull) return;
    this.#isFull = isFull;
    if (isFull) {
      mkdirSync(this.#folder, { recursive: true });
      renameSync(this.#folder, this.#aside);
      writeFileSync(this.#folder, "");
    } else {
      rmSync(this.#folder);
      renameSync(this.#aside, this.#folder);
    }
  }

  async #readBy({ ledger }: Window): Promise<number> {
    return sumOf((await ledger.read()).rows).requests;
  }

  #opened(): Window {
    return { ledger: new Ledger({ folder: this.#folder, now: () => this.#now, delay: 3_600_000 }), inMemory: 0 };
  }
}
