import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ledger } from "../../src/usage/ledger.ts";
import { dayAfter, dayOf } from "../../src/usage/localDay.ts";
import { UsageFiles } from "../../src/usage/usageFiles.ts";
import { type UsageRecord, usageFeatures } from "../../src/usage/usageRow.ts";
import { writeYear } from "../support/usage/yearOfUsage.ts";

describe("summing up old days", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "usage-"))));
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const oneDay = 86_400_000;
  let now = Date.now();
  const opened = (): Ledger => new Ledger({ folder, now: () => now, delay: 60_000 });
  const sumUp = (days = 2): Promise<void> => new UsageFiles(folder).sumUp(now + days * oneDay);
  const names = (): readonly string[] => readdirSync(folder).sort();
  const record = (): Promise<UsageRecord> => opened().read();
  const windows = (count: number): void => {
    for (let index = 0; index < count; index += 1) {
      const ledger = opened();
      const feature = usageFeatures[index % 3] ?? "chat";
      ledger.add({ model: `m${index % 4}`, feature, entry: "primary", requests: 1 + index, inputTokens: index });
      ledger.addAway({ entry: "backup", from: now - index - 5, to: now - index });
      ledger.dispose();
    }
  };

  it("leaves one file with the same sums, again and again", async () => {
    for (let round = 0; round < 3; round += 1) {
      windows(7);
      const before = await record();
      await sumUp();
      assert.deepEqual(names(), ["sums.json"]);
      assert.deepEqual(sorted(await record()), sorted(before));
    }
  });

  it("leaves the files of today, and files that were just written, as they are", async () => {
    windows(3);
    await sumUp(0);
    assert.equal(names().length, 3);
    now -= oneDay;
    windows(1);
    now += oneDay;
    await sumUp(0);
    assert.equal(names().length, 4);
  });

  it("loses nothing of a window that goes on, which starts another file", async () => {
    const ledger = opened();
    const chat = { model: "m", feature: "chat", entry: "primary" } as const;
    ledger.add({ ...chat, requests: 1 });
    ledger.flush();
    await sumUp();
    ledger.add({ ...chat, requests: 1 });
    ledger.flush();
    assert.equal(names().length, 2);
    const { rows } = await record();
    assert.equal(rows.find(({ model }) => model === "m")?.requests, 2);
  });

  it("counts nothing twice and loses nothing, wherever it crashes", async () => {
    windows(5);
    await sumUp();
    windows(6);
    const before = await record();
    const copy = mkdtempSync(join(tmpdir(), "usage-copy-"));
    try {
      cpSync(folder, copy, { recursive: true });
      await sumUp();
      cpSync(join(folder, "sums.json"), join(copy, "new-sums"));
      const crashes = {
        "while writing": () => {
          rmSync(join(folder, "sums.json"));
          cpSync(copy, folder, { recursive: true });
          rmSync(join(folder, "new-sums"));
          writeFileSync(join(folder, "sums.json.tmp"), "{");
        },
        "before it deletes": () => {
          cpSync(copy, folder, { recursive: true });
          cpSync(join(copy, "new-sums"), join(folder, "sums.json"));
          rmSync(join(folder, "new-sums"));
        },
      };
      for (const [point, crash] of Object.entries(crashes)) {
        crash();
        assert.deepEqual(sorted(await record()), sorted(before), point);
        // The next window completes what was left.
        await sumUp(3);
        assert.deepEqual(sorted(await record()), sorted(before), `${point}, then summed up`);
        assert.deepEqual(names(), ["sums.json"]);
      }
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });

  it("loses and doubles nothing when several windows sum up at once, or read meanwhile", async () => {
    for (let round = 0; round < 10; round += 1) {
      windows(6);
      const before = sorted(await record());
      const [read] = await Promise.all([record(), ...[1, 2, 3].map(() => sumUp().catch(() => undefined)), record()]);
      assert.deepEqual(sorted(read), before);
      assert.deepEqual(sorted(await record()), before);
    }
  });

  it("writes no sums over those that it cannot read", async () => {
    windows(2);
    writeFileSync(join(folder, "sums.json"), "{");
    await assert.rejects(sumUp());
    assert.equal(names().length, 3);
  });

  it("drops days older than 400, but not because the clock is wrong for a day", async () => {
    const today = dayOf(now);
    writeYear(folder, today, 450);
    await sumUp(2);
    const { rows, away } = await record();
    assert.ok(Math.abs(daysBetween(rows.at(0)?.day ?? "", today) - 402) <= 3);
    assert.ok((away.at(0)?.day ?? "") >= dayAfter(today, -404));
    const recent = (found: UsageRecord): number =>
      found.rows.filter(({ day }) => day > dayAfter(today, -400) && day <= today).length;
    const before = recent(await record());
    now += 10 * 365 * oneDay;
    windows(4);
    await sumUp();
    now -= 10 * 365 * oneDay;
    assert.equal(recent(await record()), before);
  });
});

function daysBetween(one: string, other: string): number {
  return (Date.parse(other) - Date.parse(one)) / 86_400_000;
}

function sorted({ rows, away }: UsageRecord): object {
  const lines = [...rows, ...away].map((row) => JSON.stringify(row, Object.keys(row).sort()));
  return lines.sort();
}
