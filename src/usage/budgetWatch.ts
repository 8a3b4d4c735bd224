import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import type { Settings } from "../settings/settings.ts";
import { hasCode } from "../files/fileErrors.ts";
import { type BudgetState, budgetStates, worstOf } from "./budget.ts";
import type { Ledger } from "./ledger.ts";
import { addDays, dayOf, startOfDay } from "./localDay.ts";
import { summarize, type Summary } from "./page/summary.ts";

/** Today's usage of all windows, and the budget to show, if one is at least 80 % used. */
export interface UsageToday {
  readonly summary: Summary;
  readonly budget: BudgetState | undefined;
}

/** Dependencies of a watch. */
export interface WatchOptions {
  readonly ledger: Pick<Ledger, "read">;
  /** The ledger's folder. A file in it marks that a window has shown a notification. */
  readonly folder: string;
  readonly settings: () => Pick<Settings, "budget" | "prices">;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onChange: (today: UsageToday) => void;
  /**
   * Called when a budget is used up: once per budget and period, in one of the windows. `followUsage` shows the notification.
   */
  readonly onOver: (state: BudgetState) => void;
  readonly onProblem: (error: unknown) => void;
  /** Milliseconds for which events are collected before they are summed up. */
  readonly delay?: number;
}

/** Sums up today's usage, and finds out when a budget is used up. */
export class BudgetWatch {
  readonly #options: WatchOptions;
  /** Keys of budgets for which this window has tried to create the marker. */
  readonly #known = new Set<string>();
  isOver = false;
  #timer: NodeJS.Timeout | undefined;
  #nextDay: NodeJS.Timeout | undefined;
  #isDisposed = false;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Schedules a refresh, after something was recorded. */
  readonly note = (): void => {
    if (this.#isDisposed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.refresh();
    }, this.#options.delay ?? 2_000).unref();
  };

  /** Sums up what all windows have recorded. */
  async refresh(): Promise<void> {
    const { ledger, settings, now, onChange, onOver, onProblem } = this.#options;
    this.#scheduleNextDay();
    try {
      const rows = await ledger.read(dayOf(now()).slice(0, "YYYY-MM".length));
      if (this.#isDisposed) return;
      const { budget, prices } = settings();
      const today = dayOf(now());
      const states = budgetStates(rows, { today, budget, prices });
      const worst = worstOf(states);
      this.isOver = worst?.level === "over";
      onChange({
        summary: summarize(rows, { name: "today", from: today, to: today }, prices),
        budget: worst?.level === "ok" ? undefined : worst,
      });
      for (const state of states) {
        if (state.level !== "over") this.#known.delete(state.key);
        else if (await this.#isFirst(state.key)) onOver(state);
      }
    } catch (error) {
      onProblem(error);
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#nextDay);
  }

  /** Refreshes when the day ends, even if nothing is recorded. */
  #scheduleNextDay(): void {
    if (this.#isDisposed) return;
    const now = this.#options.now();
    clearTimeout(this.#nextDay);
    this.#nextDay = setTimeout(this.note, startOfDay(addDays(dayOf(now), 1)) - now).unref();
  }

  /** Whether this window is the first to create the marker for a key. If nothing can be written, every window is. */
  async #isFirst(key: string): Promise<boolean> {
    if (this.#known.has(key)) return false;
    this.#known.add(key);
    const { folder } = this.#options;
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await (await open(join(folder, `told-${key.replace(/[^\w.-]/g, "_")}`), "wx", 0o600)).close();
      return true;
    } catch (error) {
      return !hasCode(error, "EEXIST");
    }
  }
}
