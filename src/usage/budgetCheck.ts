import type { Services } from "../services.ts";
import { budgetStates, mayRunUnasked } from "./budget.ts";
import { dayOf } from "./localDay.ts";
import { readPrices } from "./prices.ts";

/** How long an answer holds, in milliseconds: reading what all windows have used takes a while. */
const validity = 30_000;

/**
 * Tells whether the user's budgets allow what was not asked for. A ledger that cannot be read allows it; the log has a
 * line about that already.
 */
export function budgetCheck({ ledger, settings }: Pick<Services, "ledger" | "settings">): Services["budgetAllows"] {
  let known: { readonly at: number; readonly limits: string; readonly allows: boolean } | undefined;
  return async () => {
    const { budget, prices } = settings();
    if (Object.values(budget).every((limit) => limit === 0)) return true;
    const limits = JSON.stringify([budget, prices]);
    if (known?.limits !== limits || performance.now() - known.at > validity) {
      const record = await ledger.read().catch(() => undefined);
      const today = dayOf(Date.now());
      const states = budgetStates(record?.rows ?? [], { today, budget, prices: readPrices(prices) });
      known = { at: performance.now(), limits, allows: mayRunUnasked(states) };
    }
    return known.allows;
  };
}
