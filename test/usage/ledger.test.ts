import fc from "fast-check";
import assert from "node:assert/strict";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Ledger, type LedgerOptions } from "../../src/usage/ledger.ts";
import { dayAfter, dayOf, startOf } from "../../src/usage/localDay.ts";
import { sumOf } from "../../src/usage/usageRow.ts";
import { processorTime } from "../support/assertLinear.ts";
import { testFolder } from "../support/testFolder.ts";
import { writeYear } from "../support/usage/yearOfUsage.ts";

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
  const requestsIn = async (ledger = opened()): Promise<number> => sumOf((await ledger.read()).rows).requests;

  it("sums up what all windows record, written or not, and what ends only after one began to close", async () => {
    const [one, other] = [opened(), opened()];
    one.add({ ...chat, requests: 1, inputTokens: 10 });
    one.flush();
    one.add({ ...chat, requests: 1, inputTokens: 5 });
    other.add({ ...chat, requests: 1, outputTokens: 7 });
    other.flush();
    const { rows } = await one.read();
    assert.equal(rows.length, 1);
    const { requests, inputTokens, outputTokens } = sumOf(rows);
    assert.deepEqual([requests, inputTokens, outputTokens], [3, 15, 7]);
    other.dispose();
    other.add({ ...chat, cancelled: 1 });
    other.add({ ...chat, estimatedOutputTokens: 5 });
    const { cancelled, estimatedOutputTokens } = sumOf((await opened().read()).rows);
    assert.deepEqual([cancelled, estimatedOutputTokens], [1, 5]);
  });

  it("reads files from before cached tokens were counted, and adds to them to the token", async () => {
    const rows =
      '[{"day":"2026-11-21","model":"gpt-5.4","feature":"chat","entry":"primary","requests":1,"inputTokens":90}]';
    writeFileSync(join(folder(), "2026-11-21.older.json"), `{"rows":${rows},"away":[]}`);
    const windows = [opened(), opened()];
    for (const [index, ledger] of windows.entries()) {
      ledger.add({ ...chat, requests: 1, inputTokens: 1_000, cachedInputTokens: 700 + index });
      ledger.flush();
      ledger.add({ ...chat, requests: 1, inputTokens: 10, cachedInputTokens: 1 });
    }
    for (const ledger of windows) ledger.flush();
    const { requests, inputTokens, cachedInputTokens } = sumOf((await opened().read()).rows);
    assert.deepEqual([requests, inputTokens, cachedInputTokens], [5, 2_110, 1_403]);
  });

  it("counts no more cached tokens of a file than its input has, and no row with a count below nothing", async () => {
    const write = (name: string, counts: object): void => {
      const row = { day: "2026-11-21", ...chat, requests: 1, ...counts };
      writeFileSync(join(folder(), `2026-11-21.${name}.json`), JSON.stringify({ rows: [row], away: [] }));
    };
    write("absurd", { inputTokens: 5, cachedInputTokens: Number.MAX_SAFE_INTEGER });
    write("no-input", { cachedInputTokens: 7 });
    write("negative", { inputTokens: 5, cachedInputTokens: -3 });
    const { requests, inputTokens, cachedInputTokens } = sumOf((await opened().read()).rows);
    assert.deepEqual([requests, inputTokens, cachedInputTokens], [2, 5, 5]);
  });

  it("keeps days, models, features, and entries apart", async () => {
    const ledger = opened();
    for (const more of [{}, { model: "gpt-5.5" }, { feature: "inline" }, { entry: "backup" }] as const)
      ledger.add({ ...chat, ...more, requests: 1 });
    now += 24 * 60 * 60 * 1000;
    ledger.add({ ...chat, requests: 1 });
    const { rows } = await ledger.read();
    const days = rows.map(({ day }) => day);
    assert.deepEqual(days, [...Array<string>(4).fill("2026-11-21"), "2026-11-22"]);
  });

  it("ignores files that are damaged, larger than any of its own, or of others", async () => {
    const ledger = opened();
    ledger.add({ ...chat, requests: 1 });
    ledger.flush();
    const text = readFileSync(filesIn(folder())[0] ?? "", "utf8");
    const write = (name: string, content: string): void => {
      writeFileSync(join(folder(), `2026-11-21.${name}.json`), content);
    };
    write("half", text.slice(0, -5));
    write("others", '{"rows":[{"day":"2026-02-30"},7,null],"away":{}}');
    write("negative", text.replace('"requests":1', '"requests":-1'));
    write("huge", text);
    truncateSync(join(folder(), "2026-11-21.huge.json"), 200 * 1024 * 1024);
    assert.equal(await requestsIn(), 1);
  });

  it("drops days older than 400, but not because the clock is wrong for a day", async () => {
    const today = dayOf(now);
    writeYear(folder(), today, 450);
    const firstDay = (): string => readdirSync(folder()).toSorted()[0]?.slice(0, 10) ?? "";
    const daysKept = (): number => (Date.parse(today) - Date.parse(firstDay())) / 86_400_000;
    for (const wrong of [today, dayAfter(today, 4_000)]) {
      const before = firstDay();
      const ledger = opened({ now: () => startOf(wrong) });
      ledger.add({ ...chat, requests: 1 });
      ledger.flush();
      while (firstDay() === before || daysKept() > 403) await setTimeout(5);
      assert.ok(daysKept() >= 399, firstDay());
    }
    assert.ok((await opened().read()).rows.length > 1_000);
  });

  it("keeps its files to the user", () => {
    const place = join(folder(), "ledger");
    const ledger = opened({ folder: place });
    ledger.add({ ...chat, requests: 1 });
    ledger.flush();
    const modes = [place, ...filesIn(place)].map((path) => statSync(path).mode & 0o777);
    assert.deepEqual(modes, [0o700, 0o600]);
  });

  it("counts what is recorded after a Clear, although the clock is set back", async () => {
    const one = opened();
    one.add({ ...chat, requests: 1 });
    await one.clear();
    now -= 86_400_000;
    const [other, closing] = [opened(), opened()];
    other.add({ ...chat, requests: 10 });
    other.flush();
    closing.add({ ...chat, requests: 100 });
    closing.dispose();
    assert.equal(await requestsIn(one), 110);
  });

  it("keeps everything while it cannot write, tells it once, and counts nothing twice", async () => {
    const problems: unknown[] = [];
    const place = join(folder(), "ledger");
    const ledger = opened({ folder: place, onProblem: (error) => problems.push(error) });
    const add = (): void => {
      ledger.add({ ...chat, requests: 1 });
      ledger.flush();
    };
    add();
    renameSync(place, `${place}-aside`);
    writeFileSync(place, "");
    for (let index = 0; index < 3; index += 1) add();
    assert.equal(problems.length, 1);
    rmSync(place);
    renameSync(`${place}-aside`, place);
    assert.equal(await requestsIn(ledger), 4);
    add();
    assert.equal(await requestsIn(opened({ folder: place })), 5);
  });

  it("tells that it was cleared, once that is so", async () => {
    const requests: Promise<number>[] = [];
    const ledger = opened({ onChange: () => requests.push(requestsIn(ledger)) });
    ledger.add({ ...chat, requests: 1 });
    await ledger.clear();
    assert.equal(requests.length, 2);
    assert.equal((await Promise.all(requests)).at(-1), 0);
  });

  it("unites the times that several windows saw an entry away, and splits them at midnight", async () => {
    const [one, other] = [opened(), opened()];
    const midnight = new Date(2026, 10, 22).getTime();
    one.addAway({ entry: "primary", from: midnight - 3_000, to: midnight - 1_000 });
    other.addAway({ entry: "primary", from: midnight - 2_000, to: midnight + 500 });
    other.addAway({ entry: "backup", from: midnight, to: midnight + 1 });
    other.flush();
    assert.deepEqual((await one.read()).away, [
      { day: "2026-11-21", entry: "primary", duration: 3_000 },
      { day: "2026-11-22", entry: "primary", duration: 500 },
      { day: "2026-11-22", entry: "backup", duration: 1 },
    ]);
  });

  it("records in less than a millisecond", () => {
    const ledger = opened();
    const time = processorTime(() => {
      for (let index = 0; index < 10_000; index += 1) ledger.add({ ...chat, model: `m${index % 50}`, requests: 1 });
    });
    assert.ok(time / 10_000 < 1, `${time} ms`);
  });
});

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder).map((name) => join(folder, name));
}

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
  const folder = testFolder();

  it("has what was recorded since the last Clear", async () => {
    await fc.assert(
      fc.asyncProperty(events, (list) => holds(list, join(folder(), crypto.randomUUID()))),
      { numRuns: 200 },
    );
  });
});

/** Lets events happen to windows that share a ledger, and compares what it has with what it should have. */
async function holds(list: readonly (readonly [event: string, index: number])[], parent: string): Promise<void> {
  const [folder, aside] = [join(parent, "ledger"), join(parent, "aside")];
  let now = Date.now();
  let written = 0;
  let isFull = false;

  /** A window, with the number of requests that are only in its memory. */
  const opened = () => ({ ledger: new Ledger({ folder, now: () => now, delay: 3_600_000 }), inMemory: 0 });
  type Window = ReturnType<typeof opened>;
  const flush = (window: Window): void => {
    window.ledger.flush();
    if (isFull) return;
    written += window.inMemory;
    window.inMemory = 0;
  };
  /** While the disk is full, a file stands where the folder should be. */
  const fill = (becomesFull: boolean): void => {
    if (isFull === becomesFull) return;
    isFull = becomesFull;
    if (isFull) {
      mkdirSync(folder, { recursive: true });
      renameSync(folder, aside);
      writeFileSync(folder, "");
    } else {
      rmSync(folder);
      renameSync(aside, folder);
    }
  };
  const check = async ({ ledger }: Window): Promise<void> => {
    assert.equal(sumOf((await ledger.read()).rows).requests, written);
  };

  const windows = Array.from({ length: count }, opened);
  for (const [event, index] of list) {
    const window = windows[index];
    assert.ok(window);
    now += 300;
    if (event === "add") {
      window.ledger.add({ model: "m", feature: "chat", entry: "primary", requests: 1 });
      window.inMemory += 1;
    } else if (event === "flush") flush(window);
    else if (event === "crash") windows[index] = opened();
    else fill(event === "fill");
    if (event === "read") {
      flush(window);
      await check(window);
    } else if (event === "close") {
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
