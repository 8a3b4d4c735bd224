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
  const million = 1_000_000;
  const [text, unknown] = [{ model: "gpt-5.4", inputTokens: million }, { model: "gpt-5.5" }];
  const cached = { inputTokens: million, cachedInputTokens: 800_000 };

  each<Priced[], readonly [amount: number, isPartial: boolean, isEstimated: boolean] | undefined>([
    ["are per million tokens", { ...text, outputTokens: million / 10 }, [3, false, false]],
    ["are those of estimated tokens, too", { ...text, estimatedInputTokens: million / 2 }, [3, false, true]],
    ["are per image", { model: "gpt-image-2", images: 3, inputTokens: 40, outputTokens: 4_000 }, [0.12, false, false]],
    ["are per token where images have none", { model: "tokens", inputTokens: million, images: 2 }, [5, false, false]],
    ["make no money of what has none", { ...unknown, inputTokens: 5, images: 1 }, undefined],
    ["make no money of nothing", undefined],
    ["make less money of what has some in part", text, { ...unknown, inputTokens: 5 }, [2, true, false]],
    ["make less money of half a price", { model: "half", inputTokens: 2 * million, outputTokens: 5 }, [2, true, false]],
    ["of cached tokens have a price of their own", { model: "cached", ...cached }, [0.56, false, false]],
    ["of cached tokens are those of input without one", { ...text, ...cached }, [2, false, false]],
    ["are incomplete where only cached tokens have one", { model: "cached only", ...cached }, [0.4, true, false]],
    ["leave out what failed", text, { ...unknown, requests: 1, failures: 1 }, [2, false, false]],
  ]).gives((...rows) => {
    const used = rows.map((row) => ({ model: row.model, ...sumOf([row]) }));
    const sum = costOf(used, prices);
    return sum && [Number(sum.amount.toFixed(12)), sum.isPartial, sum.isEstimated];
  });
});
