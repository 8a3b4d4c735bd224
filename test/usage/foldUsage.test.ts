import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { foldUsage } from "../../src/usage/foldUsage.ts";
import { Ledger } from "../../src/usage/ledger.ts";
import { dayAfter, dayOf } from "../../src/usage/localDay.ts";
import { type UsageRecord, usageFeatures } from "../../src/usage/usageRow.ts";
import { writeYear } from "../support/usage/yearOfUsage.ts";

describe("folding", () => {
  let folder: string;
  const open: Ledger[] = [];
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "usage-"))));
  afterEach(() => {
    for (const ledger of open.splice(0)) ledger.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  let now = Date.now();
  const opened = (): Ledger => {
    const ledger = new Ledger({ folder, now: () => now, delay: 60_000 });
    open.push(ledger);
    return ledger;
  };
  const fold = (): Promise<void> => foldUsage({ folder, now: () => now, idle: -Infinity, grace: 0 });
  const names = (): readonly string[] => readdirSync(join(folder, "0-0")).sort();
  const kinds = (): readonly string[] => names().map((name) => name.replace(/-[\da-f-]{36}$/, ""));
  const record = (): Promise<UsageRecord> => opened().read();
  const windows = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) {
      const ledger = opened();
      const feature = usageFeatures[index % 3] ?? "chat";
      ledger.add({ model: `m${index % 4}`, feature, entry: "primary", requests: 1 + index, inputTokens: index });
      ledger.addAway({ entry: "backup", from: now - index - 5, to: now - index });
      await ledger.flush();
      ledger.dispose();
    }
  };

  it("leaves one file with the same sums, again and again", async () => {
    for (const number of [1, 2, 3]) {
      await windows(7);
      const before = await record();
      await fold();
      assert.deepEqual(names(), [`fold-${number}`]);
      assert.deepEqual(sorted(await record()), sorted(before));
    }
  });

  it("leaves a few files, and files that still change, as they are", async () => {
    await windows(3);
    await fold();
    assert.deepEqual(kinds(), ["journal", "journal", "journal"]);
    await windows(3);
    await foldUsage({ folder, now: () => now, idle: 600_000, grace: 0 });
    assert.equal(names().length, 6);
  });

  it("loses nothing of a window that goes on, which starts another file", async () => {
    const ledger = opened();
    const chat = { model: "m", feature: "chat", entry: "primary" } as const;
    ledger.add({ ...chat, requests: 1 });
    await ledger.flush();
    await windows(4);
    await fold();
    assert.deepEqual(kinds(), ["fold-1"]);
    ledger.add({ ...chat, requests: 1 });
    await ledger.flush();
    assert.deepEqual(kinds(), ["fold-1", "journal"]);
    const { rows } = await record();
    assert.equal(rows.find(({ model }) => model === "m")?.requests, 2);
  });

  it("counts nothing twice and loses nothing, wherever it crashes", async () => {
    await windows(5);
    await fold();
    await windows(6);
    const generation = join(folder, "0-0");
    const before = await record();
    const copy = mkdtempSync(join(tmpdir(), "usage-copy-"));
    try {
      cpSync(generation, copy, { recursive: true });
      await fold();
      const whole = readFileSync(join(generation, "fold-2"), "utf8");
      const lines = whole.split("\n");
      const crashes = {
        "while renaming": () => {
          rmSync(join(generation, "fold-2"));
          const [one = "", other = ""] = names().filter((name) => name.startsWith("journal"));
          for (const name of [one, other]) {
            renameSync(join(generation, name), join(generation, name.replace("journal", "sealed")));
          }
        },
        "after the first line": () => {
          writeFileSync(join(generation, "fold-2"), `${lines[0] ?? ""}\n`);
        },
        "in a line": () => {
          writeFileSync(join(generation, "fold-2"), whole.slice(0, whole.length / 2));
        },
        "before the last line": () => {
          writeFileSync(join(generation, "fold-2"), lines.slice(0, -2).join("\n"));
        },
        "before it deletes": () => {
          writeFileSync(join(generation, "fold-2"), whole);
        },
        "while it deletes": () => {
          writeFileSync(join(generation, "fold-2"), whole);
          for (const name of names().slice(2, 5)) rmSync(join(generation, name));
        },
        "after it has deleted the previous fold": () => {
          rmSync(join(generation, "fold-1"));
        },
      };
      for (const [point, crash] of Object.entries(crashes)) {
        cpSync(copy, generation, { recursive: true });
        writeFileSync(join(generation, "fold-2"), whole);
        crash();
        assert.deepEqual(sorted(await record()), sorted(before), point);
        // The next window completes what was left.
        await fold();
        assert.deepEqual(sorted(await record()), sorted(before), `${point}, then folded`);
        for (const name of names()) rmSync(join(generation, name));
      }
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });

  it("loses and doubles nothing when several windows fold at once", async () => {
    for (let round = 0; round < 10; round += 1) {
      await windows(6);
      const before = await record();
      await Promise.allSettled([fold(), fold(), fold()]);
      assert.deepEqual(sorted(await record()), sorted(before));
    }
  });

  it("lets Clear win", async () => {
    await windows(6);
    const ledger = opened();
    const folding = foldUsage({ folder, now: () => now, idle: -Infinity, grace: 50 });
    await ledger.clear();
    await folding.catch(() => undefined);
    assert.deepEqual(await record(), { rows: [], away: [] });
  });

  it("drops days older than 400, but not because the clock is wrong for a day", async () => {
    const today = dayOf(now);
    writeYear(folder, today, 450);
    await fold();
    const { rows, away } = await record();
    assert.ok(Math.abs(daysBetween(rows.at(0)?.day ?? "", today) - 402) <= 2);
    assert.ok((away.at(0)?.day ?? "") >= dayAfter(today, -403));
    const recent = (record: UsageRecord): number =>
      record.rows.filter(({ day }) => day > dayAfter(today, -400) && day <= today).length;
    const before = recent(await record());
    now += 10 * 365 * 86_400_000;
    await windows(4);
    await fold();
    now -= 10 * 365 * 86_400_000;
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
