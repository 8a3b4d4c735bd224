import { asObject } from "../text/json.ts";
import type { UsageCounts, UsageKey } from "./usageRow.ts";

/** What a model costs, as far as the user says. Tokens are priced per million. */
export interface ModelPrice {
  readonly input?: number;
  readonly output?: number;
  readonly image?: number;
}

/** The user's prices; the gateway states none. */
export interface Prices {
  /** An ISO 4217 code, another short text, or empty. */
  readonly currency: string;
  readonly models: ReadonlyMap<string, ModelPrice>;
}

/** The prices in the setting, and the paths in it that are not valid. */
export interface PriceSetting {
  readonly prices: Prices;
  readonly problems: readonly string[];
}

/** An amount in the currency of the prices. */
export interface Cost {
  readonly amount: number;
  /** Whether something was used that has no price, and so is not in the amount. */
  readonly isPartial: boolean;
  /** Whether tokens in the amount are estimated. */
  readonly isEstimated: boolean;
}

/** Maximum price, length of a currency, and number of models. */
const highestPrice = 1_000_000;
const longestCurrency = 10;
const mostModels = 200;

const million = 1_000_000;

const kinds = ["input", "output", "image"] as const satisfies readonly (keyof ModelPrice)[];

/** Reads the setting. What is not valid counts as not set. */
export function readPrices(setting: unknown): PriceSetting {
  const problems: string[] = [];
  const { currency = "", models = {}, ...others } = objectAt(setting ?? {}, "", problems);
  problems.push(...Object.keys(others));
  const isCurrency = typeof currency === "string" && currency.trim().length <= longestCurrency;
  if (!isCurrency) problems.push("currency");
  const named = Object.entries(objectAt(models, "models", problems)).slice(0, mostModels);
  return {
    prices: {
      currency: isCurrency ? currency.replace(/\p{C}+/gu, "").trim() : "",
      models: new Map(named.map(([model, price]) => [model, modelPrice(price, `models.${model}`, problems)])),
    },
    problems,
  };
}

/** What rows cost; `undefined` if none of what they used has a price. */
export function costOf(rows: Iterable<UsageCounts & Pick<UsageKey, "model">>, { models }: Prices): Cost | undefined {
  if (models.size === 0) return undefined;
  let amount = 0;
  let [hasPriced, hasUnpriced, isEstimated] = [false, false, false];
  for (const row of rows) {
    const { priced, hasAll } = rowCost(row, models.get(row.model) ?? {});
    if (priced !== undefined) {
      hasPriced = true;
      amount += priced;
      isEstimated ||= row.estimatedInputTokens + row.estimatedOutputTokens > 0;
    }
    hasUnpriced ||= !hasAll;
  }
  if (!hasPriced) return undefined;
  return { amount, isPartial: hasUnpriced, isEstimated };
}

/** An amount for people: "$1.23", "¥4.50", "3.10 credits". Small amounts keep two significant digits. */
export function formatMoney(amount: number, currency: string, language: string): string {
  const isSmall = amount > 0 && amount < 0.1;
  const digits = isSmall ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  if (/^[a-z]{3}$/i.test(currency)) {
    const style = { style: "currency", currency, currencyDisplay: "narrowSymbol" } as const;
    return new Intl.NumberFormat(language, { ...style, ...digits }).format(amount);
  }
  return [new Intl.NumberFormat(language, digits).format(amount), currency].filter(Boolean).join(" ");
}

/** What a row costs, and whether all it used has a price. */
function rowCost(
  { inputTokens, estimatedInputTokens, outputTokens, estimatedOutputTokens, images }: UsageCounts,
  { input, output, image }: ModelPrice,
): { readonly priced: number | undefined; readonly hasAll: boolean } {
  // A model with a price per image needs none per token, and the other way round.
  const hasTokenPrice = input !== undefined || output !== undefined;
  const parts = [
    {
      used: (inputTokens + estimatedInputTokens) / million,
      price: input,
      isCovered: !hasTokenPrice && image !== undefined,
    },
    {
      used: (outputTokens + estimatedOutputTokens) / million,
      price: output,
      isCovered: !hasTokenPrice && image !== undefined,
    },
    { used: images, price: image, isCovered: hasTokenPrice },
  ].filter(({ used }) => used > 0);
  const priced = parts.filter(({ price }) => price !== undefined);
  return {
    priced: priced.length > 0 ? priced.reduce((sum, { used, price = 0 }) => sum + used * price, 0) : undefined,
    hasAll: parts.every(({ price, isCovered }) => price !== undefined || isCovered),
  };
}

function modelPrice(value: unknown, path: string, problems: string[]): ModelPrice {
  const given = objectAt(value, path, problems);
  const price: Partial<Record<(typeof kinds)[number], number>> = {};
  for (const [name, number] of Object.entries(given)) {
    const kind = kinds.find((known) => known === name);
    if (kind !== undefined && typeof number === "number" && number >= 0 && number <= highestPrice) price[kind] = number;
    else problems.push(`${path}.${name}`);
  }
  return price;
}

function objectAt(value: unknown, path: string, problems: string[]): Readonly<Record<string, unknown>> {
  const object = asObject(value);
  if (object === undefined) problems.push(path);
  return object ?? {};
}
