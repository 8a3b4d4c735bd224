import fc from "fast-check";
import assert from "node:assert/strict";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { mock } from "node:test";
import { setImmediate, setTimeout } from "node:timers/promises";
import { Ledger, type LedgerOptions } from "../../src/usage/ledger.ts";
import { addDays, dayOf, startOfDay } from "../../src/usage/localDay.ts";
import { sumOf } from "../../src/usage/usageRow.ts";
import { posixIt, testFolder } from "../support/testFolder.ts";
import { writeYear } from "../support/yearOfUsage.ts";

const day = 24 * 60 * 60 * 1000;

describe("the ledger", () => {
  const open: Ledger[] = [];
  afterEach(() => {
    for (const ledger of open.splice(0)) ledger.dispose();
  });
  const folder = testFolder();
  const chat = { model: "gpt-5.4", feature: "chat", entry: "primary" } as const;
  let now = 0;
  beforeEach(() => (now = new Date(2026, 10, 21, 12).getTime()));
  const opened = (more: Partial<LedgerOptions> = {}): Ledger => {
    const ledger = new Ledger({ folder: folder(), now: () => now, delay: 60_000, ...more });
    open.push(ledger);
    return ledger;
  };
  const requestsIn = async (ledger = opened()): Promise<number> => sumOf(await ledger.read()).requests;

  it("records what ends only after its window began to close", async () => {
    const ledger = opened();
    ledger.add({ ...chat, requests: 1 });
    ledger.dispose();
    ledger.add({ ...chat, cancelled: 1, estimatedOutputTokens: 5 });
    const { requests, cancelled, estimatedOutputTokens } = sumOf(await opened().read());
    assert.deepEqual([requests, cancelled, estimatedOutputTokens], [1, 1, 5]);
  });

  it("keeps days, models, features, and entries apart", async () => {
    const ledger = opened();
    for (const more of [{}, { model: "gpt-5.5" }, { feature: "inline" }, { entry: "backup" }] as const)
      ledger.add({ ...chat, ...more, requests: 1 });
    now += day;
    ledger.add({ ...chat, requests: 1 });
    const rows = await ledger.read();
    const days = rows.map(({ day }) => day);
    assert.deepEqual(days, [...Array<string>(4).fill("2026-11-21"), "2026-11-22"]);
  });

  it("ignores files that are damaged, too large, or of other programs, and more cached tokens than input", async () => {
    const ledger = opened();
    ledger.add({ ...chat, requests: 1 });
    ledger.flush();
    const text = fs.readFileSync(filesIn(folder())[0] ?? "", "utf8");
    const write = (name: string, content: string): void => {
      fs.writeFileSync(join(folder(), `2026-11-21.${name}.json`), content);
    };
    write("half", text.slice(0, -5));
    write("others", '{"rows":[{"day":"2026-02-30"},7,null],"away":{}}');
    write("negative", text.replace('"requests":1', '"requests":-1'));
    write("huge", text);
    fs.truncateSync(join(folder(), "2026-11-21.huge.json"), 200 * 1024 * 1024);
    write("absurd", text.replace('"requests":1', '"requests":1,"inputTokens":5,"cachedInputTokens":9e15'));
    write("no-input", text.replace('"requests":1', '"requests":1,"cachedInputTokens":7'));
    const { requests, inputTokens, cachedInputTokens } = sumOf(await opened().read());
    assert.deepEqual([requests, inputTokens, cachedInputTokens], [3, 5, 5]);
  });

  it("drops days older than 400, but not if the clock is wrong for a day", async () => {
    const today = dayOf(now);
    writeYear(folder(), today, { days: 450 });
    for (const wrong of [today, addDays(today, 4_000)]) {
      const ledger = opened({ now: () => startOfDay(wrong) });
      ledger.add({ ...chat, requests: 1 });
      ledger.flush();
      await ledger.read();
      await tidied(wrong);
      const days = (await opened().read()).map(({ day }) => day);
      const age = (Date.parse(today) - Date.parse(days[0] ?? "")) / day;
      assert.ok(age >= 399 && age <= 403, days[0]);
      assert.ok(days.length > 1_000);
    }
  });

  /** Waits until files of closed days are joined. */
  const tidied = async (today: string): Promise<void> => {
    const isClosed = (name: string): boolean => /^\d{4}-\d\d-\d\d/.test(name) && name < addDays(today, -1);
    while (fs.readdirSync(folder()).some((name) => isClosed(name) || name.startsWith("tidying"))) await setTimeout(5);
  };

  it("joins the files of closed days into one for each month, and counts each request once", async () => {
    writeYear(folder(), dayOf(now), { days: 90, windows: 3 });
    const before = await opened({ now: () => now }).read();
    await tidied(dayOf(now));
    const after = fs.readdirSync(folder()).toSorted();
    const months = ["2026-08.json", "2026-09.json", "2026-10.json"];
    assert.deepEqual(after, [
      ...months,
      ...["20", "21"].flatMap((day) => [0, 1, 2].map((window) => `2026-11-${day}.${window}.json`)),
      "2026-11.json",
    ]);
    assert.deepEqual(await opened().read(), before);
    now += 10 * day;
    await opened().read();
    await tidied(dayOf(now));
    assert.deepEqual(await opened().read(), before);
    assert.deepEqual(fs.readdirSync(folder()).toSorted(), [...months, "2026-11.json"]);
  });

  it("counts each request once if a window ended between joining files and deleting them", async () => {
    writeYear(folder(), dayOf(now), { days: 30, windows: 2 });
    const [name = ""] = fs.readdirSync(folder()).toSorted();
    const text = fs.readFileSync(join(folder(), name));
    const before = await opened().read();
    await tidied(dayOf(now));
    fs.writeFileSync(join(folder(), name), text);
    assert.deepEqual(await opened().read(), before);
    await tidied(dayOf(now));
    assert.equal(fs.existsSync(join(folder(), name)), false);
    assert.deepEqual(await opened().read(), before);
  });

  it("joins files in one window at a time, and restores nothing that was cleared meanwhile", async () => {
    writeYear(folder(), dayOf(now), { days: 200, windows: 2 });
    const windows = [opened(), opened(), opened()];
    const expected = await requestsIn();
    assert.deepEqual(await Promise.all(windows.map(requestsIn)), [expected, expected, expected]);
    await opened().clear();
    await tidied(dayOf(now));
    assert.deepEqual([await requestsIn(), fs.readdirSync(folder())], [0, []]);
  });

  it("deletes half-written files and markers of earlier budgets, and no other files", async () => {
    const earlier = ["told-day-2026-11-20-tokens-5", "told-month-2026-10-cost-1", "2026-11-01.x.json.tmp"];
    const others = ["told-day-2026-11-21-tokens-5", "told-month-2026-11-cost-1", "2026-11-01.y.json", "notes.txt"];
    const [last, current] = ["2026-11.json.tmp", "2026-11-21.x.json.tmp"];
    for (const name of [...earlier, last, ...others, current]) fs.writeFileSync(join(folder(), name), "{");
    await opened().read();
    while (fs.existsSync(join(folder(), last))) await setTimeout(5);
    await tidied("2026-11-02");
    assert.deepEqual(fs.readdirSync(folder()).toSorted(), [...others, current].toSorted());
  });

  it("counts what is flushed during a read once", async () => {
    writeYear(folder(), dayOf(now), { days: 200, windows: 5 });
    const ledger = opened();
    const before = await requestsIn();
    let [added, isReading] = [0, true];
    const reading = requestsIn(ledger).finally(() => (isReading = false));
    while (isReading) {
      ledger.add({ ...chat, requests: 1 });
      ledger.flush();
      added += 1;
      await setImmediate();
    }
    const counted = (await reading) - before;
    assert.ok(counted >= added - 1 && added > 1, `${counted} of ${added}`);
    assert.equal(await requestsIn(ledger), before + added);
  });

  it("adds nothing to the file of a closed day, which other windows have read", async () => {
    const [one, other] = [opened(), opened()];
    one.add({ ...chat, requests: 1 });
    one.flush();
    one.add({ ...chat, requests: 1 });
    now += 3 * day;
    assert.equal(await requestsIn(other), 1);
    one.flush();
    assert.equal(await requestsIn(other), 2);
  });

  it("reads nothing of earlier months for a budget", async () => {
    fs.writeFileSync(join(folder(), "2026-10-31.x.json"), "[".repeat(100));
    fs.mkdirSync(join(folder(), "2026-10-30.a folder that cannot be read.json"));
    const ledger = opened();
    ledger.add({ ...chat, requests: 1 });
    assert.equal(sumOf(await ledger.read("2026-11")).requests, 1);
    await assert.rejects(ledger.read());
  });

  it("reads each file once, and after joining, only a few that it reads again if they change", async () => {
    const windows = 10;
    writeYear(folder(), dayOf(now), { days: 60, windows });
    const reads = mock.method(fs, "readFileSync");
    syncBuiltinESMExports();
    const readsOf = async (read: () => Promise<unknown>): Promise<number> => {
      const before = reads.mock.callCount();
      await read();
      return reads.mock.callCount() - before;
    };
    try {
      const ledger = opened();
      // The first read is over before joining begins.
      assert.equal(await readsOf(() => ledger.read()), 60 * windows);
      await tidied(dayOf(now));
      const files = fs.readdirSync(folder()).length;
      assert.ok(files <= 3 + 2 * windows, String(files));
      assert.ok((await readsOf(() => ledger.read())) <= files);
      assert.equal(await readsOf(() => ledger.read()), 0);
      assert.equal(await readsOf(() => opened().read()), files);
    } finally {
      reads.mock.restore();
      syncBuiltinESMExports();
    }
  });

  posixIt("keeps its files to the user", () => {
    const own = join(folder(), "ledger");
    const ledger = opened({ folder: own });
    ledger.add({ ...chat, requests: 1 });
    ledger.flush();
    const modes = [own, ...filesIn(own)].map((path) => fs.statSync(path).mode & 0o777);
    assert.deepEqual(modes, [0o700, 0o600]);
  });

  it("reports once that it cannot write, until it can again", () => {
    const problems: unknown[] = [];
    const place = join(folder(), "ledger");
    const ledger = opened({ folder: place, onProblem: (error) => problems.push(error) });
    const add = (): void => {
      ledger.add({ ...chat, requests: 1 });
      ledger.flush();
    };
    for (const expected of [1, 2]) {
      fs.writeFileSync(place, "");
      for (let index = 0; index < 3; index += 1) add();
      assert.equal(problems.length, expected);
      fs.rmSync(place);
      add();
      fs.rmSync(place, { recursive: true });
    }
  });

  it("reports that it was cleared, afterwards", async () => {
    const requests: Promise<number>[] = [];
    const ledger = opened({ onChange: () => requests.push(requestsIn(ledger)) });
    ledger.add({ ...chat, requests: 1 });
    await ledger.clear();
    assert.equal(requests.length, 2);
    assert.equal((await Promise.all(requests)).at(-1), 0);
  });
});

function filesIn(folder: string): readonly string[] {
  return fs.readdirSync(folder).map((name) => join(folder, name));
}

const names = "add add add flush flush flush read close crash clear fill free later earlier".split(" ");
/** What happens to one of three windows, or to all. `fill` and `free`: the disk. `later` and `earlier`: the clock. */
const events = fc.array(fc.tuple(fc.constantFrom(...names), fc.nat(2)), { minLength: 5, maxLength: 60 });

describe("the ledger, whatever happens in whatever order", function () {
  this.timeout(60_000);
  const folder = testFolder();

  it("has what was recorded since the last Clear", async () => {
    await fc.assert(
      fc.asyncProperty(events, (list) => checkSums(list, join(folder(), crypto.randomUUID()))),
      { numRuns: 400 },
    );
  });
});

/** Runs events on windows that share a ledger, and compares the sums that it reads with those that were recorded. */
async function checkSums(list: readonly (readonly [event: string, index: number])[], parent: string): Promise<void> {
  const [folder, aside] = [join(parent, "ledger"), join(parent, "aside")];
  let now = Date.now();
  let written = 0;
  let isFull = false;

  /** A window, with the number of requests that are only in its memory. */
  const opened = () => ({ ledger: new Ledger({ folder, now: () => now, delay: 3_600_000 }), inMemory: 0 });
  const windows = Array.from({ length: 3 }, opened);
  type Window = (typeof windows)[number];
  const flush = (window: Window): void => {
    window.ledger.flush();
    if (isFull) return;
    written += window.inMemory;
    window.inMemory = 0;
  };
  /** While the disk is full, there is a file in place of the folder. */
  const fill = (becomesFull: boolean): void => {
    if (isFull === becomesFull) return;
    isFull = becomesFull;
    if (isFull) {
      fs.mkdirSync(folder, { recursive: true });
      fs.renameSync(folder, aside);
      fs.writeFileSync(folder, "");
    } else {
      fs.rmSync(folder);
      fs.renameSync(aside, folder);
    }
  };
  const check = async ({ ledger, inMemory }: Window): Promise<void> => {
    assert.equal(sumOf(await ledger.read()).requests, written + inMemory);
  };

  for (const [event, index] of list) {
    const window = windows[index];
    assert.ok(window);
    now += event === "later" ? (1 + 10 * index) * day : event === "earlier" ? -day : 300;
    if (event === "add") {
      window.ledger.add({ model: "m", feature: "chat", entry: "primary", requests: 1 });
      window.inMemory += 1;
    } else if (event === "flush") flush(window);
    else if (event === "crash") windows[index] = opened();
    else fill(event === "fill");
    if (event === "read") await check(window);
    else if (event === "close") {
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
