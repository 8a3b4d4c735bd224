import { Disposable, l10n, RelativePattern, Uri, window, workspace } from "vscode";
import { openSetting, runOwn } from "../failures/actions.ts";
import type { Notifier } from "../failures/notifier.ts";
import { sentences, textLanguage } from "../failures/sentences.ts";
import { prefix, type SettingName } from "../manifest.ts";
import { type BudgetState, budgetSentence } from "./budget.ts";
import { type PageNumbers, pageNumbers, sentencesOf } from "./page/pageTexts.ts";
import { BudgetWatch, type UsageToday, type WatchOptions } from "./budgetWatch.ts";

/** Today's usage for the status bar, as text. */
export interface UsageTexts {
  /** Today's usage in a sentence; `undefined` if there is none. */
  readonly today: string | undefined;
  /** How much of a budget is used, if at least 80 %: as a percentage and in a sentence. */
  readonly budget: { readonly share: string; readonly sentence: string } | undefined;
}

/** Follows the usage of all windows and changes of settings, for the status bar and notifications about budgets. */
export function followUsage(
  options: Omit<WatchOptions, "now" | "onChange" | "onOver"> & { readonly notifier: Pick<Notifier, "inform"> },
  onChange: (texts: UsageTexts) => void,
): Disposable & Pick<BudgetWatch, "note"> & { readonly isOver: () => Promise<boolean> } {
  const numbers = (): PageNumbers => pageNumbers(textLanguage(), options.settings().prices.currency);
  const watch = new BudgetWatch({
    ...options,
    now: Date.now,
    onChange: (today) => {
      onChange(textsOf(today, numbers()));
    },
    onOver: (state) => {
      void notifyOver(options.notifier, state, budgetSentence(l10n, state, numbers()));
    },
  });
  let current = watch.refresh();
  const files = workspace.createFileSystemWatcher(new RelativePattern(Uri.file(options.folder), "*.json"));
  const listeners = Disposable.from(
    files,
    files.onDidCreate(watch.note),
    files.onDidChange(watch.note),
    files.onDidDelete(watch.note),
    window.onDidChangeWindowState(({ focused }) => {
      // A file watcher can miss changes, for example on a network drive.
      if (focused) watch.note();
    }),
    workspace.onDidChangeConfiguration((change) => {
      if (["prices", "budget"].some((section) => change.affectsConfiguration(`${prefix}.${section}`)))
        current = watch.refresh();
    }),
    watch,
  );
  return Object.assign(listeners, { note: watch.note, isOver: () => current.then(() => watch.isOver) });
}

function textsOf({ summary, budget }: UsageToday, numbers: PageNumbers): UsageTexts {
  const { requests, cost } = summary.total;
  const usage = sentencesOf(l10n, summary, numbers).slice(0, cost ? 2 : 1);
  return {
    today: requests > 0 ? l10n.t("Today: {0}", sentences(...usage)) : undefined,
    budget: budget && {
      share: numbers.percent(budget.used / budget.limit),
      sentence: budgetSentence(l10n, budget, numbers),
    },
  };
}

async function notifyOver(
  notifier: Pick<Notifier, "inform">,
  { period, unit }: BudgetState,
  sentence: string,
): Promise<void> {
  const show = { title: l10n.t("Show Usage"), run: () => runOwn("showUsage") };
  const text = l10n.t("{0} Only completions while typing stop.", sentence);
  await notifier.inform(text, show, openSetting(settingOf[period][unit]));
}

const settingOf: Record<BudgetState["period"], Record<BudgetState["unit"], SettingName>> = {
  day: { tokens: "budget.dailyTokens", cost: "budget.dailyCost" },
  month: { tokens: "budget.monthlyTokens", cost: "budget.monthlyCost" },
};
