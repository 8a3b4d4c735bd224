import { readPrices } from "../../src/settings/prices.ts";
import { costOf } from "../../src/usage/cost.ts";
import { sumOf, type UsageCounts } from "../../src/usage/usageRow.ts";
import { each } from "../support/each.ts";

type Priced = Partial<UsageCounts> & { readonly model: string };

const models = {
  "gpt-5.4": { input: 2, output: 10 },
  "gpt-image-2": { image: 0.04 },
  half: { input: 1 },
  cached: { input: 2, cachedInput: 0.2, output: 10 },
  "cached only": { cachedInput: 0.5 },
  tokens: { input: 5 },
};
const prices = readPrices({ currency: "USD", models });

describe("costs", () => {
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
    [
      "of cached tokens have a price of their own",
      { model: "cached", inputTokens: million, cachedInputTokens: 800_000 },
      [0.56, false, false],
    ],
    [
      "of cached tokens are those of input without one",
      { ...text, inputTokens: million, cachedInputTokens: 800_000 },
      [2, false, false],
    ],
    [
      "are incomplete where only cached tokens have a price",
      { model: "cached only", inputTokens: million, cachedInputTokens: 400_000 },
      [0.2, true, false],
    ],
    ["leave out what failed", { ...text, inputTokens: million }, failed, [2, false, false]],
  ]).gives((...rows) => {
    const sum = cost(...rows);
    return sum && [Number(sum.amount.toFixed(12)), sum.isPartial, sum.isEstimated];
  });
});
