import type * as vscode from "vscode";
import type { Prices } from "../settings/prices.ts";
import type { Budget } from "../settings/settings.ts";
import { costOf } from "./cost.ts";
import { sumOf, tokensIn, tokensOut, type UsageRow } from "./usageRow.ts";

/** `near`: 80 % are used. `over`: all is used. */
export type BudgetLevel = "ok" | "near" | "over";

/** How much of one budget is used. */
export interface BudgetState {
  readonly period: "day" | "month";
  readonly unit: "tokens" | "cost";
  readonly used: number;
  readonly limit: number;
  readonly level: BudgetLevel;
  /** Whether something without a price was used, so that more was spent. */
  readonly isPartial: boolean;
  /** Identifies budget, period, and limit, so that the user is notified once. */
  readonly key: string;
}

/** The share of a budget from which the status bar shows it. */
const nearShare = 0.8;

/** The state on a day ("YYYY-MM-DD") of every budget that is set. */
export function budgetStates(
  rows: readonly UsageRow[],
  { today, budget, prices }: { readonly today: string; readonly budget: Budget; readonly prices: Prices },
): readonly BudgetState[] {
  const month = today.slice(0, "YYYY-MM".length);
  const ofMonth = rows.filter(({ day }) => day.startsWith(month));
  const ofDay = ofMonth.filter(({ day }) => day === today);
  const periods = [
    { period: "day", id: today, rows: ofDay, tokens: budget.dailyTokens, cost: budget.dailyCost },
    { period: "month", id: month, rows: ofMonth, tokens: budget.monthlyTokens, cost: budget.monthlyCost },
  ] as const;
  return periods.flatMap(({ period, id, rows: used, tokens, cost }) => {
    const spent = costOf(used, prices);
    const sum = sumOf(used);
    const count = tokensIn(sum) + tokensOut(sum);
    // If nothing has a price, what was spent is unknown.
    const isPartial = spent?.isPartial ?? count + sum.images > 0;
    const states = [
      { period, unit: "tokens" as const, used: count, limit: tokens, isPartial: false },
      { period, unit: "cost" as const, used: spent?.amount ?? 0, limit: cost, isPartial },
    ];
    return states
      .filter(({ limit }) => limit > 0)
      .map((state) => ({ ...state, level: levelOf(state), key: `${period}-${id}-${state.unit}-${state.limit}` }));
  });
}

/** The state of the budget with the largest used share. */
export function worstOf(states: readonly BudgetState[]): BudgetState | undefined {
  return states.toSorted((one, other) => other.used / other.limit - one.used / one.limit)[0];
}

function levelOf({ used, limit }: Pick<BudgetState, "used" | "limit">): BudgetLevel {
  // A sum of costs may be off in its last digits.
  const share = Number((used / limit).toPrecision(12));
  return share >= 1 ? "over" : share >= nearShare ? "near" : "ok";
}

/** How much of a budget is used, in a sentence. The parameter is named `l10n` so that its texts are extracted. */
export function budgetSentence(
  l10n: Pick<typeof vscode.l10n, "t">,
  { period, unit, used, limit, isPartial }: BudgetState,
  numbers: Readonly<Record<"count" | "money" | "percent", (amount: number) => string>>,
): string {
  const format = unit === "cost" ? numbers.money : numbers.count;
  const amounts = [format(used) + (isPartial ? "+" : ""), format(limit), numbers.percent(used / limit)];
  if (unit === "cost")
    return period === "day"
      ? l10n.t("{0} of today's budget of {1} spent ({2}).", ...amounts)
      : l10n.t("{0} of this month's budget of {1} spent ({2}).", ...amounts);
  return period === "day"
    ? l10n.t("{0} of today's budget of {1} tokens used ({2}).", ...amounts)
    : l10n.t("{0} of this month's budget of {1} tokens used ({2}).", ...amounts);
}
