import type { Prices } from "../../settings/prices.ts";
import { costOf } from "../cost.ts";
import { usageCounts, type UsageRow } from "../usageRow.ts";

/** Column names. Programs read them, so they are not translated. */
const columns = {
  requests: "requests",
  failures: "failed",
  cancelled: "canceled",
  unsent: "not_sent",
  inputTokens: "input_tokens",
  cachedInputTokens: "cached_input_tokens",
  outputTokens: "output_tokens",
  estimatedInputTokens: "estimated_input_tokens",
  estimatedOutputTokens: "estimated_output_tokens",
  images: "images",
} satisfies Record<(typeof usageCounts)[number], string>;

const head = ["day", "model", "feature", "entry", ...usageCounts.map((count) => columns[count])];
const tail = ["cost", "currency"];

/** Enough digits for the price of one cached token, but not so many that rounding errors show. */
const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 12, useGrouping: false });

/** Tells spreadsheet programs that the file is UTF-8. */
const byteOrderMark = "\uFEFF";

/** The usage as CSV (RFC 4180) whose columns add up. */
export function usageCsv(rows: readonly UsageRow[], prices: Prices): string {
  const lines = [
    [...head, ...tail],
    ...rows.map((row) => {
      const cost = costOf([row], prices);
      const money = cost === undefined ? ["", ""] : [digits.format(cost.amount), prices.currency];
      return [row.day, row.model, row.feature, row.entry, ...usageCounts.map((count) => row[count]), ...money];
    }),
  ];
  return byteOrderMark + lines.map((cells) => `${cells.map(cell).join(",")}\r\n`).join("");
}

/** Characters that start a formula, unless inside a word. */
const formulaStart = /(?<![\p{L}\p{N}\p{M}_./=+\-@＝＋－＠])[=+\-@＝＋－＠]/gu;

/**
 * A cell. A model's name can be any text, and spreadsheet programs run formulas, so an apostrophe precedes whatever starts one
 * (OWASP, CSV Injection), even inside a name: a program that expects another separator starts a cell there.
 */
function cell(value: string | number): string {
  const text = String(value);
  if (typeof value === "number" || /^(?!-)[\w.-]*$/.test(text)) return text;
  const start = /^[\t\r]/.test(text) ? "'" : "";
  return `"${start}${text.replace(formulaStart, "'$&").replaceAll('"', '""')}"`;
}
