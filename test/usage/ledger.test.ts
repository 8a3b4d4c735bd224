import assert from "node:assert/strict";
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { diskAppender } from "../../src/usage/appendLine.ts";
import { batchLine } from "../../src/usage/batchLine.ts";
import { foldUsage } from "../../src/usage/foldUsage.ts";
import { Ledger, type LedgerOptions } from "../../src/usage/ledger.ts";
import { modesIn } from "../support/modesIn.ts";
import { sumOf } from "../../src/usage/usageRow.ts";

describe("the ledger", () => {
  let folder: string;
  const open: Ledger[] = [];
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "usage-"))));
  afterEach(() => {
    for (const ledger of open.splice(0)) ledger.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const chat = { model: "gpt-5.4", feature: "chat", entry: "primary" } as const;
  let now = new Date(2026, 10, 21, 12).getTime();
  const opened = (more: Partial<LedgerOptions> = {}): Ledger => {
    const ledger = new Ledger({ folder, now: () => now, delay: 60_000, ...more });
    open.push(ledger);
    return ledger;
  };

  it("sums up what all windows record, written or not", async () => {
    const [one, other] = [opened(), opened()];
    one.add({ ...chat, requests: 1, inputTokens: 10 });
    await one.flush();
    one.add({ ...chat, requests: 1, inputTokens: 5 });
    other.add({ ...chat, requests: 1, outputTokens: 7 });
    await other.flush();
    const { rows } = await one.read();
    assert.equal(rows.length, 1);
    const { requests, inputTokens, outputTokens } = sumOf(rows);
    assert.deepEqual([requests, inputTokens, outputTokens], [3, 15, 7]);
  });

  it("keeps its files where only the user can read them", async function () {
    if (process.platform === "win32") this.skip();
    const ledger = opened({ folder: join(folder, "usage") });
    ledger.add({ ...chat, requests: 1 });
    await ledger.flush();
    const [first, ...others] = await modesIn(join(folder, "usage"));
    assert.equal(first, 0o700);
    assert.deepEqual(new Set(others), new Set([0o700, 0o600]));
  });

  it("reads what closed windows have written, also at the last moment", async () => {
    const closing = opened();
    closing.add({ ...chat, requests: 1 });
    await closing.flush();
    closing.add({ ...chat, requests: 2 });
    closing.dispose();
    assert.equal(sumOf((await opened().read()).rows).requests, 3);
    assert.equal(filesIn(folder).length, 1);
  });

  it("counts in a window that closes at once, also after Clear", async () => {
    const [one, closing] = [opened(), opened()];
    one.add({ ...chat, requests: 1 });
    await one.clear();
    now += 1_000;
    closing.add({ ...chat, requests: 5 });
    closing.dispose();
    assert.equal(sumOf((await one.read()).rows).requests, 5);
    now += 1_000;
    const known = opened();
    known.add({ ...chat, requests: 7 });
    await known.flush();
    now += 1_000;
    await one.clear();
    now += 1_000;
    known.add({ ...chat, requests: 11 });
    known.dispose();
    assert.equal(sumOf((await one.read()).rows).requests, 11);
  });

  it("counts what ends only after the window began to close", async () => {
    const closing = opened();
    closing.dispose();
    closing.add({ ...chat, cancelled: 1 });
    closing.add({ ...chat, estimatedOutputTokens: 5 });
    const { cancelled, estimatedOutputTokens } = sumOf((await opened().read()).rows);
    assert.deepEqual([cancelled, estimatedOutputTokens], [1, 5]);
  });

  it("keeps days, models, features, and entries apart", async () => {
    const ledger = opened();
    ledger.add({ ...chat, requests: 1 });
    ledger.add({ ...chat, model: "gpt-5.5", requests: 1 });
    ledger.add({ ...chat, feature: "inline", requests: 1 });
    ledger.add({ ...chat, entry: "backup", requests: 1 });
    now += 24 * 60 * 60 * 1000;
    ledger.add({ ...chat, requests: 1 });
    now -= 24 * 60 * 60 * 1000;
    const { rows } = await ledger.read();
    assert.equal(rows.length, 5);
    assert.deepEqual(
      rows.map(({ day }) => day),
      [...Array<string>(4).fill("2026-11-21"), "2026-11-22"],
    );
  });

  it("ignores a line that was written in part, and lines of others", async () => {
    const ledger = opened();
    ledger.add({ ...chat, requests: 1 });
    await ledger.flush();
    const [file = ""] = filesIn(folder);
    const line = readFileSync(file, "utf8");
    appendFileSync(file, line.slice(0, -5));
    ledger.add({ ...chat, requests: 1 });
    await ledger.flush();
    appendFileSync(file, `\n{"id":"x","rows":[]}\n00000000 {}\n`);
    assert.equal(sumOf((await opened().read()).rows).requests, 2);
  });

  it("begins another file when one is long, and sums up all of them", async () => {
    const ledger = opened({ longestFile: 1_000 });
    for (let index = 0; index < 50; index += 1) {
      ledger.add({ ...chat, requests: 1 });
      await ledger.flush();
    }
    const sizes = filesIn(folder).map((file) => statSync(file).size);
    assert.ok(sizes.length > 3, String(sizes));
    assert.ok(Math.max(...sizes) < 1_500, String(sizes));
    ledger.add({ ...chat, requests: 1 });
    ledger.dispose();
    assert.equal(sumOf((await opened().read()).rows).requests, 51);
  });

  it("leaves alone a file that is larger than any of its own", async () => {
    const ledger = opened();
    ledger.add({ ...chat, requests: 1 });
    await ledger.flush();
    const [file = ""] = filesIn(folder);
    const huge = join(dirname(file), `journal-${crypto.randomUUID()}`);
    const row = { ...chat, day: "2026-11-21", requests: 5 };
    writeFileSync(huge, `${batchLine({ id: "another", rows: [{ ...sumOf([]), ...row }], away: [] })}\n`);
    truncateSync(huge, 200 * 1024 * 1024);
    const start = performance.now();
    assert.equal(sumOf((await opened().read()).rows).requests, 1);
    assert.ok(performance.now() - start < 1_000);
    await foldUsage({ folder, now: () => Date.now() + 86_400_000, enough: 1, grace: 0 });
    assert.equal(statSync(huge).size, 200 * 1024 * 1024);
    assert.equal(sumOf((await opened().read()).rows).requests, 1);
  });

  it("counts what is recorded after a Clear, although the clock is set back", async () => {
    const one = opened();
    one.add({ ...chat, requests: 1 });
    await one.clear();
    const before = now;
    try {
      now -= 86_400_000;
      const other = opened();
      other.add({ ...chat, requests: 10 });
      await other.flush();
      const closing = opened();
      closing.add({ ...chat, requests: 100 });
      closing.dispose();
      assert.equal(sumOf((await one.read()).rows).requests, 110);
    } finally {
      now = before;
    }
  });

  it("keeps everything while the disk is full, tells it once, and counts nothing twice", async () => {
    const problems: unknown[] = [];
    let room = 2;
    const full = Object.assign(new Error("No space left on device."), { code: "ENOSPC" });
    const appender: LedgerOptions["appender"] = {
      append: async (file, text, isNew) => {
        if (room-- > 0) {
          await diskAppender.append(file, text, isNew);
          // The last text gets on the disk whole, which the caller does not learn.
          if (room > 0) return;
        }
        throw full;
      },
      appendNow: (...call) => {
        diskAppender.appendNow(...call);
      },
    };
    const ledger = opened({ appender, onProblem: (error) => problems.push(error) });
    for (let index = 0; index < 5; index += 1) {
      ledger.add({ ...chat, requests: 1 });
      await ledger.flush();
      assert.equal(sumOf((await ledger.read()).rows).requests, index + 1);
    }
    assert.deepEqual(problems, [full]);
    room = 10;
    await ledger.flush();
    assert.equal(sumOf((await opened().read()).rows).requests, 5);
    assert.equal(filesIn(folder).length, 1);
  });

  it("clears what all windows have recorded, and counts what they record afterwards", async () => {
    const [one, other] = [opened(), opened()];
    for (const ledger of [one, other]) {
      ledger.add({ ...chat, requests: 1 });
      await ledger.flush();
      ledger.add({ ...chat, requests: 10 });
    }
    now += 1_000;
    await one.clear();
    now += 1_000;
    other.add({ ...chat, requests: 100 });
    await other.flush();
    assert.equal(sumOf((await one.read()).rows).requests, 100);
    one.add({ ...chat, requests: 1_000 });
    await one.flush();
    assert.equal(sumOf((await other.read()).rows).requests, 1_100);
    assert.equal(readdirSync(folder).length, 1);
  });

  it("tells that it was cleared, once that is so", async () => {
    const requests: Promise<number>[] = [];
    const read = async (): Promise<number> => sumOf((await ledger.read()).rows).requests;
    const ledger = opened({ onClear: () => requests.push(read()) });
    ledger.add({ ...chat, requests: 1 });
    now += 1_000;
    await ledger.clear();
    assert.deepEqual(await Promise.all(requests), [0]);
  });

  it("unites the times that several windows saw an entry away, and splits them at midnight", async () => {
    const [one, other] = [opened(), opened()];
    const midnight = new Date(2026, 10, 22).getTime();
    one.addAway({ entry: "primary", from: midnight - 3_000, to: midnight - 1_000 });
    other.addAway({ entry: "primary", from: midnight - 2_000, to: midnight + 500 });
    other.addAway({ entry: "backup", from: midnight, to: midnight + 1 });
    await other.flush();
    assert.deepEqual((await one.read()).away, [
      { day: "2026-11-21", entry: "primary", duration: 3_000 },
      { day: "2026-11-22", entry: "primary", duration: 500 },
      { day: "2026-11-22", entry: "backup", duration: 1 },
    ]);
  });

  it("records in less than a millisecond", () => {
    const ledger = opened();
    const start = performance.now();
    for (let index = 0; index < 10_000; index += 1) ledger.add({ ...chat, model: `m${index % 50}`, requests: 1 });
    assert.ok((performance.now() - start) / 10_000 < 0.1);
  });
});

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
