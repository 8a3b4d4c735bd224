import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ledger } from "../../src/usage/ledger.ts";
import { dayAfter, dayOf } from "../../src/usage/localDay.ts";
import { UsageFiles } from "../../src/usage/usageFiles.ts";
import { type UsageRecord, usageFeatures } from "../../src/usage/usageRow.ts";
import { testFolder } from "../support/testFolder.ts";
import { writeYear } from "../support/usage/yearOfUsage.ts";

describe("summing up old days", () => {
  const folder = testFolder();
  const oneDay = 86_400_000;
  let now = Date.now();
  const opened = (): Ledger => new Ledger({ folder: folder(), now: () => now, delay: 60_000 });
  const sumUp = (days = 2): Promise<void> => new UsageFiles(folder()).sumUp(now + days * oneDay);
  const names = (): readonly string[] => readdirSync(folder()).sort();
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

  it("counts nothing twice and loses nothing, wherever it crashes", async () => {
    windows(5);
    await sumUp();
    windows(6);
    const before = await record();
    const sums = join(folder(), "sums.json");
    const copy = mkdtempSync(join(tmpdir(), "usage-copy-"));
    try {
      cpSync(folder(), copy, { recursive: true });
      await sumUp();
      const newSums = readFileSync(sums);
      const crashes = {
        "while writing": () => {
          rmSync(sums);
          cpSync(copy, folder(), { recursive: true });
          writeFileSync(`${sums}.tmp`, "{");
        },
        "before it deletes": () => {
          cpSync(copy, folder(), { recursive: true });
          writeFileSync(sums, newSums);
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
    writeFileSync(join(folder(), "sums.json"), "{");
    await assert.rejects(sumUp());
    assert.equal(names().length, 3);
  });

  it("drops days older than 400, but not because the clock is wrong for a day", async () => {
    const today = dayOf(now);
    writeYear(folder(), today, 450);
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
