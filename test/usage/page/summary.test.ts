import assert from "node:assert/strict";
import { periodsOf } from "../../../src/usage/localDay.ts";
import { amountOf, measureOf, summarize } from "../../../src/usage/page/summary.ts";
import { readPrices } from "../../../src/settings/prices.ts";
import { sumOf, tokensIn, usageCounts } from "../../../src/usage/usageRow.ts";
import { usageRow } from "../../support/usageRow.ts";

const noPrices = readPrices({});
const [today, week, month] = periodsOf("2026-11-21", 1);
assert.ok(today && week && month);

describe("the summary of a period", () => {
  it("counts what is in it, up to its first and last day", () => {
    const days = ["2026-10-31", "2026-11-01", "2026-11-15", "2026-11-16", "2026-11-21", "2026-11-22", "2026-12-01"];
    const rows = days.map((day, index) => usageRow({ day, requests: 10 ** index }));
    const sums = [today, week, month].map((period) => summarize(rows, period, noPrices));
    const requests = sums.map(({ total }) => total.requests);
    assert.deepEqual(requests, [10_000, 111_000, 111_110]);
  });

  it("has the same sums by day, model, feature, and entry", () => {
    const counts = Object.fromEntries(usageCounts.map((count, index) => [count, 2 ** index]));
    const rows = [
      usageRow({ ...counts, model: "a", feature: "chat", entry: "primary", day: "2026-11-01" }),
      usageRow({ ...counts, model: "b", feature: "chat", entry: "primary", day: "2026-11-01" }),
      usageRow({ ...counts, model: "a", feature: "agent", entry: "backup", day: "2026-11-30" }),
    ];
    const { total, ...parts } = summarize(rows, month, noPrices);
    assert.deepEqual(total, { ...sumOf(rows), cost: undefined });
    for (const part of [parts.days, parts.models, parts.features, parts.entries])
      assert.deepEqual(sumOf(part.map(({ sum }) => sum)), sumOf(rows));
  });

  it("sorts models and features by what they measure, and has every day of the period", () => {
    const rows = [
      usageRow({ model: "small", requests: 9, inputTokens: 10 }),
      usageRow({ model: "large", requests: 1, inputTokens: 5, estimatedOutputTokens: 10 }),
    ];
    const { models, days } = summarize(rows, week, noPrices);
    assert.equal(models.map(({ key }) => key).join(" "), "large small");
    const tokens = days.map(({ key, sum }) => `${key.slice(-2)}: ${tokensIn(sum)}`);
    assert.deepEqual(tokens, ["16: 0", "17: 0", "18: 0", "19: 0", "20: 0", "21: 15", "22: 0"]);
  });

  it("names the models whose cached tokens count at the input price, because they have none of their own", () => {
    const used = { requests: 1, inputTokens: 10, cachedInputTokens: 5 };
    const rows = [
      ...["both", "input only", "output only", "none"].map((model) => usageRow({ model, ...used })),
      usageRow({ model: "not cached", inputTokens: 10 }),
    ];
    const [both, input, output] = [{ input: 1, cachedInput: 0 }, { input: 1 }, { output: 1 }];
    const models = { both, "input only": input, "output only": output, "not cached": input };
    assert.deepEqual(summarize(rows, today, readPrices({ models })).cachedAtInputPrice, ["input only"]);
  });

  it("has no money without prices, with prices names the models that have none, and measures requests at least", () => {
    const rows = [
      usageRow({ model: "priced", requests: 1, inputTokens: 1_000_000, outputTokens: 500_000 }),
      usageRow({ model: "free text", requests: 1, inputTokens: 1 }),
      usageRow({ model: "failed only", requests: 1, failures: 1 }),
    ];
    const unpriced = summarize(rows, today, noPrices);
    assert.deepEqual([unpriced.total.cost, unpriced.unpriced, measureOf(unpriced.total)], [undefined, [], "tokens"]);
    const prices = readPrices({ currency: "EUR", models: { priced: { input: 2, output: 10 } } });
    const { total, unpriced: names } = summarize(rows, today, prices);
    assert.deepEqual([names, measureOf(total), amountOf(total, "cost")], [["free text"], "cost", 7]);
    const failed = summarize([usageRow({ requests: 3, failures: 3 })], today, noPrices).total;
    assert.deepEqual([measureOf(failed), amountOf(failed, "requests")], ["requests", 3]);
  });
});
