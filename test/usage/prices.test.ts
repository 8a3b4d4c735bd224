import assert from "node:assert/strict";
import { costOf, formatMoney, readPrices } from "../../src/usage/prices.ts";
import { sumOf, type UsageCounts } from "../../src/usage/usageRow.ts";

const prices = readPrices({
  currency: "USD",
  models: {
    "gpt-5.4": { input: 2, output: 10 },
    "gpt-image-2": { image: 0.04 },
    half: { input: 1 },
    tokens: { input: 5 },
  },
});

describe("prices", () => {
  const cost = (...rows: (Partial<UsageCounts> & { model: string })[]): ReturnType<typeof costOf> =>
    costOf(
      rows.map((row) => ({ model: row.model, ...sumOf([row]) })),
      prices,
    );

  it("are per million tokens and per image", () => {
    const text = { model: "gpt-5.4", inputTokens: 1_000_000, estimatedInputTokens: 500_000, outputTokens: 100_000 };
    assert.deepEqual(cost(text), { amount: 4, isPartial: false, isEstimated: true });
    const image = { model: "gpt-image-2", images: 3, inputTokens: 40, outputTokens: 4_000 };
    assert.deepEqual(cost(image), { amount: 0.12, isPartial: false, isEstimated: false });
    assert.deepEqual(cost({ model: "tokens", inputTokens: 1_000_000, images: 2 })?.isPartial, false);
  });

  it("make no money of what has none", () => {
    assert.equal(cost({ model: "gpt-5.5", inputTokens: 5 }), undefined);
    assert.equal(cost({ model: "gpt-5.5", images: 1 }), undefined);
    assert.equal(cost(), undefined);
    const partly = { amount: 2, isPartial: true, isEstimated: false };
    assert.deepEqual(cost({ model: "gpt-5.4", inputTokens: 1_000_000 }, { model: "x", outputTokens: 1 }), partly);
    assert.deepEqual(cost({ model: "half", inputTokens: 2_000_000, outputTokens: 5 }), partly);
    assert.equal(
      cost({ model: "gpt-5.4", inputTokens: 1 }, { model: "x", requests: 1, failures: 1 })?.isPartial,
      false,
    );
  });

  it("that are not valid are left out", () => {
    const { currency, models } = readPrices({
      currency: 5,
      models: { a: { input: -1, output: "2", image: 0.5, cached: 1 }, b: 3, c: { input: Infinity } },
    });
    assert.deepEqual([currency, Object.fromEntries(models)], ["", { a: { image: 0.5 }, b: {}, c: {} }]);
    for (const setting of [undefined, [], "x", { models: [] }]) assert.equal(readPrices(setting).models.size, 0);
  });

  it("are written as people write them", () => {
    assert.equal(formatMoney(1.5, "USD", "en"), "$1.50");
    assert.equal(formatMoney(1234.5, "CNY", "zh-cn"), "¥1,234.50");
    assert.equal(formatMoney(0.00123, "usd", "en"), "$0.0012");
    assert.equal(formatMoney(3, "credits", "en"), "3.00 credits");
    assert.equal(formatMoney(0, "", "en"), "0.00");
  });
});
