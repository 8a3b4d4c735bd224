import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Ledger } from "../../src/usage/ledger.ts";
import { dayAfter } from "../../src/usage/localDay.ts";
import { UsageFiles } from "../../src/usage/usageFiles.ts";
import type { UsageCounts, UsageRow } from "../../src/usage/usageRow.ts";
import { chance, oneOf } from "../support/faults/chance.ts";
import { tokensIn } from "../support/gateway/frames.ts";
import { type LocalGateway, startGateway } from "../support/gateway/gateway.ts";
import { isRecord } from "../support/gateway/json.ts";
import type { Fault, RecordedRequest } from "../support/gateway/types.ts";
import { type Phase, type Plan, readLabel } from "../support/usage/windowPlan.ts";

const operations = 10_000;

/** The last moment before a kill that may be lost, in milliseconds: until the next write, and on a busy machine. */
const lost = 1_800;

/** Each run has days of its own, so that it can be checked alone; the first two have the changes of New York's clock. */
const firstDays = ["2026-03-07", "2026-10-31", "2026-05-10", "2026-06-10", "2026-07-10", "2026-08-10", "2026-09-10"];

const text = "A lighthouse is a tower with a light that guides ships at night.";

describe("several windows", function () {
  this.timeout(120_000);
  let gateway: LocalGateway;
  let folder: string;
  before(async () => {
    gateway = await startGateway({ reply: () => ({ text, calls: [] }) });
    folder = mkdtempSync(join(tmpdir(), "usage-"));
  });
  after(async () => {
    await gateway.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it(`count what the gateway counts, in ${operations} operations of three at once, two of them killed twice`, async () => {
    const kills = new Map<number, number>();
    let runs = 0;
    const window = async (share: number, killAt: readonly number[]): Promise<void> => {
      let left = share;
      for (const kill of [...killAt, Infinity]) {
        const run = runs++;
        const child = startWindow(gateway, folder, run, left);
        let done = 0;
        child.on("message", (count) => {
          done = Number(count);
          if (done < kill || kills.has(run) || !hasWritten(folder, run)) return;
          kills.set(run, Date.now());
          child.kill("SIGKILL");
        });
        await once(child, "exit");
        if (kill === Infinity) assert.equal(child.exitCode, 0);
        left -= done;
      }
    };
    const share = Math.ceil(operations / 3);
    const end = new AbortController();
    const troubles = makeTrouble(gateway, end.signal);
    await Promise.all([window(share, []), window(share, [500, 900]), window(share, [800, 700])]);
    end.abort();
    await troubles;

    // Old days are summed up by now.
    await new UsageFiles(folder).sumUp(Date.now() + 3_600_000);
    assert.ok(readdirSync(folder).every((name) => !name.startsWith("2026-0") && !name.startsWith("2026-10")));
    const { rows } = await new Ledger({ folder, now: Date.now }).read();
    const records = gateway.requests.filter(({ method }) => method === "POST");
    assert.ok(records.length >= operations);
    assert.equal(kills.size, 4);
    assert.deepEqual(new Set(records.map(({ entry }) => entry)), new Set(["primary", "backup"]));
    for (let run = 0; run < runs; run += 1) {
      const first = firstDays[run] ?? "";
      const own = rows.filter(({ day }) => day >= first && day <= dayAfter(first, 9));
      const requests = records.filter((record) => readLabel(questionIn(record)).run === run);
      check(run, own, requests, kills.get(run));
    }
  });
});

/** Whether a run has written anything. One that is killed before proves nothing. */
function hasWritten(folder: string, run: number): boolean {
  const first = firstDays[run] ?? "";
  const days = (name: string): string => name.slice(0, first.length);
  return readdirSync(folder).some(
    (name) => name.endsWith(".json") && days(name) >= first && days(name) <= dayAfter(first, 9),
  );
}

/** Compares a run's rows with the gateway's records of it: exactly, or up to what was lost with the kill. */
function check(
  run: number,
  rows: readonly UsageRow[],
  records: readonly RecordedRequest[],
  killedAt: number | undefined,
): void {
  const all = sums(records.map(rowOf));
  const certain = killedAt === undefined ? all : sums(records.filter(isBefore(killedAt - lost)).map(rowOf));
  const found = sums(rows);
  assert.ok(found.size > 0);
  for (const key of new Set([...all.keys(), ...found.keys()])) {
    const [count, least, most] = [found, certain, all].map((map) => map.get(key) ?? 0);
    assert.ok(count !== undefined && least !== undefined && most !== undefined);
    const told = `run ${run}, ${key}: the ledger has ${count}, the gateway ${most}, ${least} of them long before the end`;
    assert.ok(count >= least && count <= most, told);
  }
}

type Counted = Pick<UsageRow, "day" | "model" | "feature" | "entry"> & Partial<UsageCounts>;

const exact = ["requests", "failures", "inputTokens", "outputTokens", "images"] as const;

/** Sums by everything. Of answers that are stopped, only the gateway's requests are certain. */
function sums(rows: readonly (Counted | undefined)[]): ReadonlyMap<string, number> {
  const map = new Map<string, number>();
  for (const row of rows) {
    if (row === undefined) continue;
    const isStopped = row.feature === "review" || row.feature === "completion";
    for (const count of isStopped ? (["requests"] as const) : exact) {
      const key = [count, row.day, row.model, row.feature, row.entry].join(" ");
      map.set(key, (map.get(key) ?? 0) + (row[count] ?? 0));
    }
  }
  return map;
}

function rowOf(record: RecordedRequest): Counted | undefined {
  const { entry, body, status, ended, operation } = record;
  if (entry === "imageHost" || !isRecord(body)) return undefined;
  const question = questionIn(record);
  const { day, feature } = readLabel(question);
  const isWhole = status === 200 && ended !== undefined;
  const isImage = operation === "image";
  return {
    ...{ day, entry, model: String(body.model), feature: feature as UsageRow["feature"] },
    requests: 1,
    failures: isWhole ? 0 : 1,
    ...(isWhole && {
      images: isImage ? 1 : 0,
      inputTokens: tokensIn(question),
      outputTokens: isImage ? 4096 : tokensIn(text),
    }),
  };
}

function isBefore(time: number): (record: RecordedRequest) => boolean {
  return ({ at, ended = at }) => Math.max(at, ended) < time;
}

function questionIn({ body }: RecordedRequest): string {
  if (!isRecord(body)) return "";
  if (typeof body.prompt === "string") return body.prompt;
  const [message] = Array.isArray(body.messages) ? (body.messages as readonly unknown[]) : [];
  return isRecord(message) && typeof message.content === "string" ? message.content : "";
}

function startWindow(gateway: LocalGateway, folder: string, run: number, count: number): ChildProcess {
  const { primary, backup, keys } = gateway;
  const settings = { baseUrl: primary.url, backupBaseUrl: backup.url };
  const plan: Plan = { folder, settings, keys, seed: run + 1, run, operations: count, phases: phasesFrom(run) };
  return fork(new URL("../support/usage/windowProcess.ts", import.meta.url), [JSON.stringify(plan)], {
    env: { ...process.env, TZ: "America/New_York" },
  });
}

/** Midnight, both sides of the hour in which clocks change, a clock that is set back, and one that is set forward. */
function phasesFrom(run: number): readonly Phase[] {
  const first = firstDays[run] ?? "";
  const second = dayAfter(first, 1);
  return [
    { day: first, time: "23:59:59.900" },
    { day: second, time: "00:00:00.100" },
    { day: second, time: "01:30:00" },
    { day: second, time: "01:30:00", later: 3_600_000 },
    { day: second, time: "03:00:00" },
    { day: second, time: "23:59:59.999" },
    { day: first, time: "12:00:00" },
    { day: dayAfter(first, 5), time: "00:00:00" },
  ];
}

const faults: readonly Fault[] = [
  { status: 500 },
  { status: 529 },
  { status: 503 },
  { broken: "reset" },
  { broken: "closed" },
  { broken: "cut", operation: "chat", after: 1 },
  { status: 400, operation: "image" },
];

/** Lets requests to both entries fail now and then. */
async function makeTrouble(gateway: LocalGateway, signal: AbortSignal): Promise<void> {
  const random = chance(3);
  while (!signal.aborted) {
    gateway.entry(oneOf(["primary", "backup"], random)).next(1 + Math.floor(random() * 3), oneOf(faults, random));
    await sleep(20);
  }
}
