import assert from "node:assert/strict";
import { costOf, formatMoney, readPrices } from "../../src/usage/prices.ts";
import { sumOf, type UsageCounts } from "../../src/usage/usageRow.ts";
import { each } from "../support/each.ts";

type Priced = Partial<UsageCounts> & { readonly model: string };

const models = {
  "gpt-5.4": { input: 2, output: 10 },
  "gpt-image-2": { image: 0.04 },
  half: { input: 1 },
  tokens: { input: 5 },
};
const prices = readPrices({ currency: "USD", models });

describe("prices", () => {
  const cost = (...rows: readonly Priced[]): ReturnType<typeof costOf> =>
    costOf(
      rows.map((row) => ({ model: row.model, ...sumOf([row]) })),
      prices,
    );
  const [text, image, other] = [{ model: "gpt-5.4" }, { model: "gpt-image-2" }, { model: "gpt-5.5" }];
  const [none, failed] = [undefined, { ...other, requests: 1, failures: 1 }];
  const [million, free] = [1_000_000, { ...other, inputTokens: 5 }];
  const estimated = { ...text, inputTokens: million, estimatedInputTokens: million / 2, outputTokens: million / 10 };

  each<Priced[], readonly [amount: number, isPartial: boolean, isEstimated: boolean] | undefined>([
    ["are per million tokens", estimated, [4, false, true]],
    ["are per image", { ...image, images: 3, inputTokens: 40, outputTokens: 4_000 }, [0.12, false, false]],
    ["are per token where images have none", { model: "tokens", inputTokens: million, images: 2 }, [5, false, false]],
    ["make no money of tokens that have none", free, none],
    ["make no money of images that have none", { ...other, images: 1 }, none],
    ["make no money of nothing", none],
    ["make less money of what has some in part", { ...text, inputTokens: million }, free, [2, true, false]],
    ["make less money of half a price", { model: "half", inputTokens: 2 * million, outputTokens: 5 }, [2, true, false]],
    ["leave out what failed", { ...text, inputTokens: million }, failed, [2, false, false]],
  ]).gives((...rows) => {
    const sum = cost(...rows);
    return sum && [sum.amount, sum.isPartial, sum.isEstimated];
  });

  it("that are not valid are left out", () => {
    const { currency, models } = readPrices({
      currency: 5,
      models: { a: { input: -1, output: "2", image: 0.5, cached: 1 }, b: 3, c: { input: Infinity } },
    });
    assert.deepEqual([currency, Object.fromEntries(models)], ["", { a: { image: 0.5 }, b: {}, c: {} }]);
    for (const setting of [undefined, [], "x", { models: [] }]) assert.equal(readPrices(setting).models.size, 0);
  });

  each([
    ["are written with the sign of their currency", 1.5, "USD", "en", "$1.50"],
    ["are written with the signs of the language", 1234.5, "CNY", "zh-cn", "¥1,234.50"],
    ["are written with more places where they are small", 0.00123, "usd", "en", "$0.0012"],
    ["are written with a currency that is none", 3, "credits", "en", "3.00 credits"],
    ["are written without a currency", 0, "", "en", "0.00"],
  ]).gives(formatMoney);
});
