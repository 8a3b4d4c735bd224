import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import type { Budget } from "../../src/settings/settings.ts";
import type { BudgetState } from "../../src/usage/budget.ts";
import { Ledger } from "../../src/usage/ledger.ts";
import { type UsageToday, BudgetWatch } from "../../src/usage/budgetWatch.ts";
import { allPlainSettings } from "../support/plainSettings.ts";
import { testFolder } from "../support/testFolder.ts";
import { until } from "../support/until.ts";

const noBudget: Budget = { dailyTokens: 0, monthlyTokens: 0, dailyCost: 0, monthlyCost: 0 };
const day = 24 * 60 * 60 * 1_000;

describe("the watch over usage and budgets of today", () => {
  let now = 0;
  let budget = noBudget;
  let cleanup: DisposableStack;
  beforeEach(() => {
    now = new Date(2026, 10, 20, 12).getTime();
    budget = noBudget;
    cleanup = new DisposableStack();
  });
  afterEach(() => {
    cleanup.dispose();
  });
  const folder = testFolder();

  it("shows a budget from 80 % on", async () => {
    budget = { ...noBudget, dailyTokens: 100, monthlyTokens: 1_000 };
    const { watch, seen, use } = openWindow();
    use(79);
    await watch.refresh();
    assert.equal(seen.at(-1)?.budget, undefined);
    use(1);
    await watch.refresh();
    assert.equal(watch.isOver, false);
    assert.deepEqual([seen.at(-1)?.budget?.level, seen.at(-1)?.budget?.period], ["near", "day"]);
  });

  it("notifies in one window that a budget is used up, once a day, and again after Clear", async () => {
    budget = { ...noBudget, dailyTokens: 100 };
    const windows = Array.from({ length: 8 }, () => openWindow());
    const notified = async (): Promise<number> => {
      for (const { ledger } of windows) ledger.flush();
      for (let round = 0; round < 2; round += 1) await Promise.all(windows.map(({ watch }) => watch.refresh()));
      return windows.flatMap((window) => window.notified).length;
    };
    windows[0]?.use(100);
    assert.equal(await notified(), 1);
    now += day;
    assert.equal(await notified(), 1);
    windows[1]?.use(100);
    assert.equal(await notified(), 2);
    await windows[2]?.ledger.clear();
    const later = openWindow();
    later.use(100);
    await later.watch.refresh();
    assert.equal(later.notified.length, 1);
    await later.ledger.clear();
    await later.watch.refresh();
    later.use(100);
    await later.watch.refresh();
    assert.equal(later.notified.length, 2);
  });

  it("reads once for many events", async () => {
    const { watch, seen } = openWindow(20);
    for (const round of [1, 2]) {
      for (let event = 0; event < 100; event += 1) watch.note();
      await until(() => seen.length >= round);
      assert.equal(seen.length, round);
    }
  });

  it("refreshes when the day ends, even if nothing is recorded", async () => {
    budget = { ...noBudget, dailyTokens: 100 };
    now = new Date(2026, 10, 21).getTime() - 20;
    const { watch, seen, use } = openWindow(1);
    use(100);
    await watch.refresh();
    assert.deepEqual([seen.at(-1)?.budget?.level, watch.isOver], ["over", true]);
    now += 20;
    const { summary } = await until(() => seen.find((today) => today.budget === undefined));
    assert.equal(summary.total.requests, 0);
  });

  it("reports that the usage cannot be read, and tries again", async () => {
    const { watch, seen, problems } = openWindow();
    rmSync(folder(), { recursive: true });
    writeFileSync(folder(), "");
    await watch.refresh();
    assert.deepEqual([problems.splice(0).length, seen], [1, []]);
    rmSync(folder());
    await watch.refresh();
    assert.equal(seen.length, 1);
  });

  /** A window of its own, with everything it sees. */
  function openWindow(delay = 60_000) {
    const ledger = new Ledger({ folder: folder(), now: () => now, delay: 60_000 });
    const [seen, notified, problems]: [UsageToday[], BudgetState[], unknown[]] = [[], [], []];
    const watch = new BudgetWatch({
      ledger,
      folder: folder(),
      settings: () => ({ budget, prices: allPlainSettings.prices }),
      now: () => now,
      onChange: (today) => seen.push(today),
      onOver: (state) => notified.push(state),
      onProblem: (problem) => problems.push(problem),
      delay,
    });
    cleanup.defer(() => {
      watch.dispose();
      ledger.dispose();
      assert.deepEqual(problems, []);
    });
    const use = (inputTokens: number): void => {
      ledger.add({ model: "gpt-5.5", feature: "chat", entry: "primary", requests: 1, inputTokens });
    };
    return { ledger, watch, seen, notified, problems, use };
  }
});
