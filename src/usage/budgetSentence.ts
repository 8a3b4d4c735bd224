import type * as vscode from "vscode";
import type { BudgetState } from "./budget.ts";

/** How much of a budget is used, in words. The parameter has the name of VS Code's own object, as texts are collected. */
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
