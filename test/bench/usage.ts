import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ledger } from "../../src/usage/ledger.ts";
import { writeYear } from "./yearOfUsage.ts";
import { type Group, inTurn, row } from "./rows.ts";

const today = "2026-11-21";

/** More than users have: all days that are stored, each with ten windows. */
const most = { days: 400, windows: 10 };

/** The limit, as a multiple of the time that reading and parsing the files takes. */
const limit = 6;

/** Processor time of the first read of all usage, before the files of closed days are joined. */
export const usage: Group = async () => {
  const now = new Date(`${today}T12:00`).getTime();
  const { ours, reference } = await inTurn({ rounds: 5, warmUps: 1 }, async (side) => {
    const folder = mkdtempSync(join(tmpdir(), "usage-"));
    writeYear(folder, today, most);
    if (side === "reference") return await processorTime(() => Promise.resolve(parseAll(folder)));
    const ledger = new Ledger({ folder, now: () => now });
    const time = await processorTime(() => ledger.read());
    // Also ends the joining, which would slow the next round.
    await ledger.clear();
    return time;
  });
  return [row("first read of 400 days of ten windows, vs parsing the files (CPU)", "ms", ours, reference, limit)];
};

function parseAll(folder: string): readonly unknown[] {
  return readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as unknown);
}

/** Processor time of some work, in milliseconds, which other work on the machine changes little. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
