import assert from "node:assert/strict";
import type { Budget } from "../../src/settings/settings.ts";
import { type BudgetState, budgetStates, worstOf } from "../../src/usage/budget.ts";
import { readPrices } from "../../src/settings/prices.ts";
import { sumOf, type UsageRow } from "../../src/usage/usageRow.ts";

const none: Budget = { dailyTokens: 0, monthlyTokens: 0, dailyCost: 0, monthlyCost: 0 };
const prices = readPrices({ models: { m: { input: 1_000_000, output: 1_000_000 } } });

describe("a budget", () => {
  const today = "2026-11-21";
  const row = (day: string, tokens: number, model = "m"): UsageRow => ({
    ...{ day, model, feature: "chat", entry: "primary" },
    ...sumOf([{ inputTokens: tokens - 1, estimatedOutputTokens: 1 }]),
  });
  const statesOf = (rows: readonly UsageRow[], budget: Partial<Budget>): readonly BudgetState[] =>
    budgetStates(rows, { today, budget: { ...none, ...budget }, prices });
  const levels = (rows: readonly UsageRow[], budget: Partial<Budget>): readonly string[] =>
    statesOf(rows, budget).map(({ period, unit, level }) => `${period} ${unit} ${level}`);

  it("is near its end at 80 % and over at 100 %", () => {
    for (const [tokens, level] of Object.entries({ 79: "ok", 80: "near", 99: "near", 100: "over" })) {
      const rows = [row(today, Number(tokens))];
      assert.deepEqual(levels(rows, { dailyTokens: 100 }), [`day tokens ${level}`]);
      assert.deepEqual(levels(rows, { monthlyCost: 100 }), [`month cost ${level}`]);
    }
    // 0.1 is no binary fraction, so that sums are off in their last digits.
    const days = Array.from({ length: 10 }, (_, index) => row(`2026-11-1${index}`, 0.1));
    assert.deepEqual(levels(days, { monthlyCost: 1 }), ["month cost over"]);
  });

  it("is for a local day or for a calendar month, and has no state where it is not set", () => {
    const rows = [row("2026-10-31", 50), row("2026-11-01", 50), row("2026-11-21", 50), row("2025-11-21", 50)];
    assert.deepEqual(levels(rows, { dailyTokens: 100, monthlyTokens: 100 }), ["day tokens ok", "month tokens over"]);
    assert.deepEqual(levels([row(today, 1e9)], {}), []);
    assert.equal(worstOf([]), undefined);
  });

  it("that is the worst one is shown", () => {
    for (const [unit, dailyTokens] of Object.entries({ tokens: 90, cost: 100 })) {
      const states = statesOf([row(today, 90)], { dailyTokens, monthlyTokens: 1_000, monthlyCost: 91 });
      assert.equal(worstOf(states)?.unit, unit);
    }
  });

  it("in money says when something has no price", () => {
    for (const [rows, ...expected] of [
      [[row(today, 90), row(today, 9, "other")], 90, true, "near"],
      [[row(today, 9, "other")], 0, true, "ok"],
      [[], 0, false, "ok"],
    ] as const) {
      const [state] = statesOf(rows, { dailyCost: 100 });
      assert.deepEqual([state?.used, state?.isPartial, state?.level], expected);
    }
  });
});
