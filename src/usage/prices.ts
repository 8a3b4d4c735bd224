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

const kinds: ReadonlySet<string> = new Set(["input", "output", "image"] satisfies (keyof ModelPrice)[]);

/** Reads the setting. What is not valid counts as not set. */
export function readPrices(setting: unknown): Prices {
  const { currency, models } = asObject(setting) ?? {};
  const isCurrency = typeof currency === "string" && currency.trim().length <= longestCurrency;
  const named = Object.entries(asObject(models) ?? {}).slice(0, mostModels);
  return {
    currency: isCurrency ? currency.replace(/\p{C}+/gu, "").trim() : "",
    models: new Map(named.map(([model, price]) => [model, modelPrice(price)])),
  };
}

function modelPrice(value: unknown): ModelPrice {
  const isPrice = (price: unknown): boolean => typeof price === "number" && price >= 0 && price <= highestPrice;
  return Object.fromEntries(
    Object.entries(asObject(value) ?? {}).filter(([name, price]) => kinds.has(name) && isPrice(price)),
  );
}

/** What rows cost; `undefined` if none of what they used has a price. */
export function costOf(rows: Iterable<UsageCounts & Pick<UsageKey, "model">>, { models }: Prices): Cost | undefined {
  if (models.size === 0) return undefined;
  const parts = [...rows].flatMap((row) => partsOf(row, models.get(row.model) ?? {}));
  const priced = parts.filter(({ price }) => price !== undefined);
  if (priced.length === 0) return undefined;
  return {
    amount: priced.reduce((sum, { used, price = 0 }) => sum + used * price, 0),
    isPartial: priced.length < parts.length,
    isEstimated: priced.some(({ isEstimated }) => isEstimated),
  };
}

/** What a row used that needs a price. A price per image pays for tokens that have none, and the reverse. */
function partsOf(row: UsageCounts, { input, output, image }: ModelPrice) {
  const hasTokenPrice = input !== undefined || output !== undefined;
  const tokens = (price: number | undefined, counted: number, estimated: number) => ({
    used: (counted + estimated) / million,
    price,
    isPaid: !hasTokenPrice && image !== undefined,
    isEstimated: estimated > 0,
  });
  return [
    tokens(input, row.inputTokens, row.estimatedInputTokens),
    tokens(output, row.outputTokens, row.estimatedOutputTokens),
    { used: row.images, price: image, isPaid: hasTokenPrice && image === undefined, isEstimated: false },
  ].filter(({ used, isPaid }) => used > 0 && !isPaid);
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
