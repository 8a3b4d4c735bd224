import assert from "node:assert/strict";
import { formatMoney, formatPrice, readPrices } from "../../src/settings/prices.ts";
import { each } from "../support/each.ts";

describe("prices", () => {
  it("that are not valid are left out", () => {
    const { currency, models } = readPrices({
      currency: 5,
      models: {
        a: { input: -1, output: "2", image: 0.5, cachedInput: "0" },
        b: 3,
        c: { input: Infinity, cachedInput: 0 },
      },
    });
    assert.deepEqual([currency, Object.fromEntries(models)], ["", { a: { image: 0.5 }, b: {}, c: { cachedInput: 0 } }]);
    for (const setting of [undefined, [], "x", { models: [] }]) assert.equal(readPrices(setting).models.size, 0);
  });

  each([
    ["are written with the signs of the language", 1234.5, "CNY", "zh-cn", "¥1,234.50"],
    ["are written with more places where they are small", 0.00123, "usd", "en", "$0.0012"],
    ["are written with two places where they round to ten cents", 0.0996, "USD", "en", "$0.10"],
    ["are written with a currency that is none", 3, "credits", "en", "3.00 credits"],
    ["are written without a currency", 0, "", "en", "0.00"],
  ]).gives(formatMoney);

  each([
    ["of a token are written with all their digits", 0.0125, "USD", "en", "$0.0125"],
    ["of a token are written without a currency", 12, "", "en", "12.00"],
  ]).gives(formatPrice);
});
