import type * as vscode from "vscode";
import { formatMoney } from "../../settings/prices.ts";
import { quote } from "../../text/safeText.ts";
import { tokensIn, tokensOut, type UsageFeature } from "../usageRow.ts";
import type { Summary } from "./summary.ts";

/** Translates a text. A parameter, because the page is tested without VS Code. */
export type L10n = Pick<typeof vscode.l10n, "t">;

/** Translates texts and formats numbers. The property is named `l10n` so that its texts are extracted. */
export interface Localizer {
  readonly l10n: L10n;
  readonly numbers: PageNumbers;
}

export function featureNames(l10n: L10n): Readonly<Record<UsageFeature, string>> {
  return {
    chat: l10n.t("Chat"),
    agent: l10n.t("Agent"),
    inline: l10n.t("Inline chat"),
    image: l10n.t("Images"),
    commitMessage: l10n.t("Commit messages"),
    review: l10n.t("Code review"),
    completion: l10n.t("Completions"),
    aiFeature: l10n.t("AI features"),
    connectionTest: l10n.t("Test Connection"),
  };
}

/** A model's name, which can be any text, on one line. */
export function modelName(name: string): string {
  return quote(name, 80);
}

/** The usage of a period, in sentences. */
export function sentencesOf(
  l10n: L10n,
  { total, unpriced, cachedAtInputPrice }: Pick<Summary, "total" | "unpriced" | "cachedAtInputPrice">,
  { count, money, list }: PageNumbers,
): readonly string[] {
  const { requests, images, cachedInputTokens: cached, cost, failures, cancelled } = total;
  const estimated = total.estimatedInputTokens + total.estimatedOutputTokens;
  const parts = [
    requests === 1 ? l10n.t("1 request") : l10n.t("{0} requests", count(requests)),
    cached === 0
      ? l10n.t("{0} tokens in", count(tokensIn(total)))
      : l10n.t("{0} tokens in (of which {1} cached)", count(tokensIn(total)), count(cached)),
    l10n.t("{0} tokens out", count(tokensOut(total))),
    ...(images === 0 ? [] : [images === 1 ? l10n.t("1 image") : l10n.t("{0} images", count(images))]),
  ];
  return [
    l10n.t("{0}.", list(parts)),
    ...(cost === undefined ? [] : [l10n.t("Cost: {0}.", money(cost.amount))]),
    ...(unpriced.length === 0 ? [] : [l10n.t("Not included (no price): {0}.", list(unpriced.map(modelName)))]),
    ...(cachedAtInputPrice.length === 0
      ? []
      : [
          l10n.t(
            "No price is set for cached tokens, so they count at the input price: {0}.",
            list(cachedAtInputPrice.map(modelName)),
          ),
        ]),
    ...(estimated === 0 ? [] : [l10n.t("{0} of the tokens are estimated.", count(estimated))]),
    ...(failures === 0 ? [] : [l10n.t("Failed requests: {0}.", count(failures))]),
    ...(cancelled === 0 ? [] : [l10n.t("Canceled requests: {0}.", count(cancelled))]),
  ];
}

/** Larger shares are shown as "more than": a budget can be tiny. */
const maxShare = 9.99;

/** Numbers and days in the display language. */
export type PageNumbers = ReturnType<typeof pageNumbers>;

/** `currency`: of all amounts of money. */
export function pageNumbers(language: string, currency: string) {
  const numberFormat = (options?: Intl.NumberFormatOptions): ((number: number) => string) => {
    const format = new Intl.NumberFormat(language, options);
    return (number) => format.format(number);
  };
  // Days have no time zone, so they are parsed and formatted in UTC.
  const dateFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(language, { timeZone: "UTC", ...options });
  const date = (options: Intl.DateTimeFormatOptions): ((day: string) => string) => {
    const format = dateFormat(options);
    return (day) => format.format(new Date(day));
  };
  const percent = numberFormat({ style: "percent" });
  const fine = numberFormat({ style: "percent", maximumFractionDigits: 1 });
  const range = dateFormat({ dateStyle: "long" });
  const list = new Intl.ListFormat(language);
  return {
    count: numberFormat(),
    /** Compact: 1.2M. */
    brief: numberFormat({ notation: "compact", maximumSignificantDigits: 3 }),
    /** A share; 1 is all. */
    percent: (share: number): string => {
      if (share > maxShare) return `>${percent(maxShare)}`;
      return share > 0 && share < 0.01 ? fine(share) : percent(share);
    },
    money: (amount: number): string => formatMoney(amount, currency, language),
    /** A day in full, and shorter forms. */
    fullDay: date({ dateStyle: "full" }),
    day: date({ weekday: "short", month: "short", day: "numeric" }),
    weekday: date({ weekday: "short" }),
    dayOfMonth: date({ day: "numeric" }),
    days: (from: string, to: string): string => range.formatRange(new Date(from), new Date(to)),
    list: (items: readonly string[]): string => list.format(items),
  };
}
