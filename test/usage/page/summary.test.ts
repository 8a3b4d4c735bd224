import assert from "node:assert/strict";
import fc from "fast-check";
import { daysIn, periodsOf } from "../../../src/usage/localDay.ts";
import { amountOf, measureOf, summarize, type Sum } from "../../../src/usage/page/summary.ts";
import { readPrices } from "../../../src/settings/prices.ts";
import { sumOf, tokensIn, usageCounts, usageFeatures } from "../../../src/usage/usageRow.ts";
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
    const row = fc.record({
      day: fc.constantFrom(...daysIn(month)),
      model: fc.constantFrom("a", "b", "c"),
      feature: fc.constantFrom(...usageFeatures),
      entry: fc.constantFrom("primary" as const, "backup" as const),
      ...Object.fromEntries(usageCounts.map((count) => [count, fc.nat(1_000)])),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 60 }), (given) => {
        const rows = given.map(usageRow);
        const summary = summarize(rows, month, noPrices);
        const counts = (sum: Sum): Sum => ({ ...sum, cost: undefined });
        assert.deepEqual(summary.total, { ...sumOf(rows), cost: undefined });
        for (const parts of [summary.days, summary.models, summary.features, summary.entries]) {
          assert.deepEqual({ ...sumOf(parts.map(({ sum }) => sum)), cost: undefined }, counts(summary.total));
        }
      }),
    );
  });

  it("sorts models and features by what they measure, and has every day of the period", () => {
    const rows = [
      usageRow({ model: "small", requests: 9, inputTokens: 10 }),
      usageRow({ model: "large", requests: 1, inputTokens: 5, estimatedOutputTokens: 10 }),
    ];
    const { models, days } = summarize(rows, week, noPrices);
    assert.equal(models.map(({ key }) => key).join(" "), "large small");
    const tokens = Object.fromEntries(days.map(({ key, sum }) => [key, tokensIn(sum)]));
    assert.deepEqual(tokens, { ...Object.fromEntries(daysIn(week).map((day) => [day, 0])), "2026-11-21": 15 });
  });

  it("names the models whose cached tokens count at the input price, because they have none of their own", () => {
    const used = { requests: 1, inputTokens: 10, cachedInputTokens: 5 };
    const rows = [
      ...["both", "input only", "output only", "none"].map((model) => usageRow({ model, ...used })),
      usageRow({ model: "not cached", inputTokens: 10 }),
    ];
    const input = { input: 1 };
    const models = {
      both: { input: 1, cachedInput: 0 },
      "input only": input,
      "output only": { output: 1 },
      "not cached": input,
    };
    assert.deepEqual(summarize(rows, today, readPrices({ models })).cachedAtInputPrice, ["input only"]);
    assert.deepEqual(summarize(rows, today, noPrices).cachedAtInputPrice, []);
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
    const { total, unpriced: names, models } = summarize(rows, today, prices);
    assert.equal(total.cost?.amount, 7);
    assert.deepEqual(names, ["free text"]);
    assert.equal(measureOf(total), "cost");
    assert.equal(models[0] && amountOf(models[0].sum, "cost"), 7);
    const failed = summarize([usageRow({ requests: 3, failures: 3 })], today, noPrices).total;
    assert.deepEqual([measureOf(failed), amountOf(failed, "requests")], ["requests", 3]);
  });
});
