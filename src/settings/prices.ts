import { asObject } from "../base/json.ts";

/** The prices of a model that the user has set. Tokens are priced per million. */
export interface ModelPrice {
  readonly input?: number;
  /** For input from a prompt cache; by default, the price of other input. */
  readonly cachedInput?: number;
  readonly output?: number;
  readonly image?: number;
}

/** The user's prices; the gateway states none. */
export interface Prices {
  /** An ISO 4217 code, another short text, or empty. */
  readonly currency: string;
  readonly models: ReadonlyMap<string, ModelPrice>;
}

/** Maximum price, length of a currency, and number of models. */
const maxPrice = 1_000_000;
const maxCurrencyLength = 10;
const maxModels = 200;

const kinds: ReadonlySet<string> = new Set(["input", "cachedInput", "output", "image"] satisfies (keyof ModelPrice)[]);

/** Reads the setting. What is not valid counts as not set. */
export function readPrices(setting: unknown): Prices {
  const { currency, models } = asObject(setting) ?? {};
  const isCurrency = typeof currency === "string" && currency.trim().length <= maxCurrencyLength;
  const named = Object.entries(asObject(models) ?? {}).slice(0, maxModels);
  return {
    currency: isCurrency ? currency.replace(/\p{C}+/gu, "").trim() : "",
    models: new Map(named.map(([model, price]) => [model, modelPrice(price)])),
  };
}

function modelPrice(value: unknown): ModelPrice {
  const isPrice = (price: unknown): boolean => typeof price === "number" && price >= 0 && price <= maxPrice;
  return Object.fromEntries(
    Object.entries(asObject(value) ?? {}).filter(([name, price]) => kinds.has(name) && isPrice(price)),
  );
}

/** Formats an amount: "$1.23", "¥4.50", "3.10 credits". Small amounts have two significant digits. */
export function formatMoney(amount: number, currency: string, language: string): string {
  const isSmall = amount > 0 && amount < 0.0995;
  return withCurrency(
    amount,
    currency,
    language,
    isSmall ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 },
  );
}

/** Formats a price with all its digits: "$0.125". */
export function formatPrice(price: number, currency: string, language: string): string {
  return withCurrency(price, currency, language, { minimumFractionDigits: 2, maximumFractionDigits: 10 });
}

function withCurrency(amount: number, currency: string, language: string, digits: Intl.NumberFormatOptions): string {
  if (/^[a-z]{3}$/i.test(currency)) {
    const style = { style: "currency", currency, currencyDisplay: "narrowSymbol" } as const;
    return new Intl.NumberFormat(language, { ...style, ...digits }).format(amount);
  }
  return [new Intl.NumberFormat(language, digits).format(amount), currency].filter(Boolean).join(" ");
}
