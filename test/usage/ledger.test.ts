import fc from "fast-check";
import assert from "node:assert/strict";
import fs from "node:fs";
import { join } from "node:path";
import { mock } from "node:test";
import { setImmediate } from "node:timers/promises";
import { Ledger, type LedgerOptions } from "../../src/usage/ledger.ts";
import { addDays, dayOf, startOfDay } from "../../src/usage/localDay.ts";
import { sumOf } from "../../src/usage/usageRow.ts";
import { posixIt, testFolder } from "../support/testFolder.ts";
import { until } from "../support/until.ts";

const day = 24 * 60 * 60 * 1000;
const chat = { model: "gpt-5.4", feature: "chat", entry: "primary" } as const;

describe("the ledger", () => {
  const open: Ledger[] = [];
  afterEach(() => {
    for (const ledger of open.splice(0)) ledger.dispose();
  });
  const folder = testFolder();
  let now = 0;
  beforeEach(() => (now = new Date(2026, 10, 21, 12).getTime()));
  const opened = (more: Partial<LedgerOptions> = {}): Ledger => {
    const ledger = new Ledger({ folder: folder(), now: () => now, delay: 60_000, ...more });
    open.push(ledger);
    return ledger;
  };
  const requestsIn = async (ledger = opened()): Promise<number> => sumOf(await ledger.read()).requests;
  const names = (): readonly string[] => fs.readdirSync(folder()).toSorted();

  /** Writes a file for each window and each of the last days, with one request in each. */
  const writeDays = (days: number, windows = 1): void => {
    for (let age = 0; age < days; age += 1) {
      const row = { day: addDays(dayOf(now), -age), ...chat, requests: 1, inputTokens: 7, cachedInputTokens: 5 };
      const text = JSON.stringify({ rows: [row] });
      for (let window = 0; window < windows; window += 1)
        fs.writeFileSync(join(folder(), `${row.day}.${window}.json`), text);
    }
  };

  /** Waits until the files of closed days are joined. */
  const tidied = async (): Promise<void> => {
    const isClosed = (name: string): boolean => /^\d{4}-\d\d-\d\d\./.test(name) && name < addDays(dayOf(now), -1);
    await until(() => !names().some((name) => isClosed(name) || name.startsWith("tidying")));
  };

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
    writeDays(450);
    for (const [clock, first] of [
      [today, addDays(today, -402)],
      [addDays(today, 4_000), addDays(today, -401)],
    ] as const) {
      now = startOfDay(clock);
      const ledger = opened();
      ledger.add({ ...chat, requests: 1 });
      ledger.flush();
      await ledger.read();
      await tidied();
      assert.equal((await opened().read())[0]?.day, first);
    }
  });

  it("joins the files of closed days into one for each month, and counts each request once", async () => {
    writeDays(40, 2);
    const before = await opened().read();
    await tidied();
    const open = ["20.0", "20.1", "21.0", "21.1"].map((rest) => `2026-11-${rest}.json`);
    assert.deepEqual(names(), ["2026-10.json", ...open, "2026-11.json"]);
    assert.deepEqual(await opened().read(), before);
    now += 10 * day;
    await opened().read();
    await tidied();
    assert.deepEqual(await opened().read(), before);
    assert.deepEqual(names(), ["2026-10.json", "2026-11.json"]);
  });

  it("counts each request once if a window ended between joining files and deleting them", async () => {
    writeDays(30, 2);
    const path = join(folder(), "2026-11-01.0.json");
    const text = fs.readFileSync(path);
    const before = await opened().read();
    await tidied();
    fs.writeFileSync(path, text);
    assert.deepEqual(await opened().read(), before);
    await tidied();
    assert.equal(fs.existsSync(path), false);
    assert.deepEqual(await opened().read(), before);
  });

  it("joins files in one window at a time, and restores nothing that was cleared meanwhile", async () => {
    writeDays(200, 2);
    const windows = [opened(), opened(), opened()];
    assert.deepEqual(await Promise.all(windows.map(requestsIn)), [400, 400, 400]);
    await opened().clear();
    await tidied();
    assert.deepEqual([await requestsIn(), names()], [0, []]);
  });

  it("deletes half-written files and markers of earlier budgets, and no other files", async () => {
    const markers = ["told-day-2026-11-20-tokens-5", "told-month-2026-10-cost-1"];
    const gone = [...markers, "2026-11-01.x.json.tmp", "2026-11.json.tmp"];
    const kept = ["told-day-2026-11-21-tokens-5", "told-month-2026-11-cost-1", "2026-11-21.x.json.tmp"];
    const others = ["2026-11-01.y.json", "notes.txt"];
    for (const name of [...gone, ...kept, ...others]) fs.writeFileSync(join(folder(), name), "{");
    await opened().read();
    await until(() => !names().some((name) => gone.includes(name) || name.startsWith("tidying")));
    assert.deepEqual(names(), [...kept, ...others].toSorted());
  });

  it("counts what is flushed during a read once", async () => {
    writeDays(20, 5);
    const ledger = opened();
    const before = await requestsIn();
    // Each file takes so long that others get their turn after it.
    let time = performance.now();
    const clock = mock.method(performance, "now", () => (time += 1_000));
    let [added, isReading] = [0, true];
    const reading = requestsIn(ledger).finally(() => (isReading = false));
    while (isReading) {
      ledger.add({ ...chat, requests: 1 });
      ledger.flush();
      added += 1;
      await setImmediate();
    }
    clock.mock.restore();
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

  it("reads no file again that has not changed", async () => {
    writeDays(40, 2);
    const rewrite = (requests: number): void => {
      for (const path of filesIn(folder())) {
        fs.writeFileSync(path, fs.readFileSync(path, "utf8").replace(/(?<="requests":)\d/, String(requests)));
        fs.utimesSync(path, now, now);
      }
    };
    rewrite(1);
    const ledger = opened();
    assert.equal(await requestsIn(ledger), 80);
    rewrite(2);
    assert.equal(await requestsIn(ledger), 80);
  });

  posixIt("keeps its files to the user", () => {
    const own = join(folder(), "ledger");
    const ledger = opened({ folder: own });
    ledger.add({ ...chat, requests: 1 });
    ledger.flush();
    const modes = [own, ...filesIn(own)].map((path) => fs.statSync(path).mode & 0o777);
    assert.deepEqual(modes, [0o700, 0o600]);
  });

  it("reports once that it cannot write, until it can again, and then writes all of it", async () => {
    const problems: unknown[] = [];
    const place = join(folder(), "ledger");
    const ledger = opened({ folder: place, onProblem: (error) => problems.push(error) });
    const add = (): void => {
      ledger.add({ ...chat, requests: 1 });
      ledger.flush();
    };
    for (const expected of [1, 2]) {
      fs.writeFileSync(place, "");
      for (let count = 0; count < 3; count += 1) add();
      assert.equal(problems.length, expected);
      fs.rmSync(place);
      add();
      assert.equal(await requestsIn(opened({ folder: place })), 4);
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

/** What happens to one of three windows, or, as `later` and `earlier`, to the clock of all. */
const names = "add add add flush flush flush read close crash clear later earlier".split(" ");
const events = fc.array(fc.tuple(fc.constantFrom(...names), fc.nat(2)), { minLength: 5, maxLength: 60 });

describe("the ledger, whatever happens in whatever order", function () {
  this.timeout(60_000);
  const folder = testFolder();

  it("has what was recorded since the last Clear", async () => {
    const holds = fc.asyncProperty(events, (list) => checkSums(list, join(folder(), crypto.randomUUID())));
    await fc.assert(holds, { numRuns: 400 });
  });
});

/** Runs events on windows that share a ledger, and compares the sums that it reads with those that were recorded. */
async function checkSums(list: readonly (readonly [event: string, index: number])[], folder: string): Promise<void> {
  let now = Date.now();
  let written = 0;
  /** A window, with the number of requests that are only in its memory. */
  const opened = () => ({ ledger: new Ledger({ folder, now: () => now, delay: 3_600_000 }), inMemory: 0 });
  const windows = [opened(), opened(), opened()];

  for (const [event, index] of [...list, ["close", 0], ["close", 1], ["close", 2]] as const) {
    const window = windows[index] ?? assert.fail();
    now += event === "later" ? (1 + 10 * index) * day : event === "earlier" ? -day : 300;
    if (event === "add") {
      window.ledger.add({ ...chat, requests: 1 });
      window.inMemory += 1;
    } else if (event === "read") {
      assert.equal(sumOf(await window.ledger.read()).requests, written + window.inMemory);
    } else if (event === "clear") {
      await window.ledger.clear();
      [written, window.inMemory] = [0, 0];
    } else if (event === "flush" || event === "close") {
      if (event === "close") window.ledger.dispose();
      else window.ledger.flush();
      written += window.inMemory;
      window.inMemory = 0;
    }
    if (event === "close" || event === "crash") windows[index] = opened();
  }
  assert.equal(sumOf(await opened().ledger.read()).requests, written);
}
