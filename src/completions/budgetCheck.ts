import type { Services } from "../services.ts";
import { budgetStates, mayRunUnasked } from "../usage/budget.ts";
import { dayOf } from "../usage/localDay.ts";
import { readPrices } from "../usage/prices.ts";

/** How long an answer holds, in milliseconds: reading what all windows have used takes a while. */
const validity = 30_000;

/** Tells whether the user's budgets allow what was not asked for. */
export class BudgetCheck {
  readonly #services: Pick<Services, "ledger" | "settings">;
  #known: { readonly at: number; readonly allows: boolean } | undefined;

  constructor(services: Pick<Services, "ledger" | "settings">) {
    this.#services = services;
  }

  /** Forgets what was read, for example when the budgets change. */
  forget(): void {
    this.#known = undefined;
  }

  /** A ledger that cannot be read allows it; the log has a line about that already. */
  async allows(): Promise<boolean> {
    const { budget, prices } = this.#services.settings();
    if (Object.values(budget).every((limit) => limit === 0)) return true;
    if (this.#known === undefined || performance.now() - this.#known.at > validity) {
      const rows = await this.#services.ledger.read().then(
        (record) => record.rows,
        () => [],
      );
      const today = dayOf(Date.now());
      const states = budgetStates(rows, { today, budget, prices: readPrices(prices) });
      this.#known = { at: performance.now(), allows: mayRunUnasked(states) };
    }
    return this.#known.allows;
  }
}
