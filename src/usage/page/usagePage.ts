import { sentences } from "../../failures/sentences.ts";
import type { EntryName } from "../../gateway/types.ts";
import { html, Html } from "../../text/html.ts";
import { budgetSentence, type BudgetState } from "../budget.ts";
import type { Cost } from "../cost.ts";
import type { PeriodName } from "../localDay.ts";
import { dayChart } from "./dayChart.ts";
import { featureNames, modelName, sentencesOf, type Localizer } from "./pageTexts.ts";
import { amountOf, type Measure, measureOf, type Share, type Sum, type Summary } from "./summary.ts";
import { tokensIn, tokensOut, usageCounts, type UsageFeature } from "../usageRow.ts";

/** The content of the page. */
export interface UsagePage {
  readonly summaries: readonly Summary[];
  readonly budgets: readonly BudgetState[];
  readonly hasPrices: boolean;
  readonly isEmpty: boolean;
}

/** Parameters of the page. */
export interface PageFrame extends Localizer {
  /** Language tag of the texts, for screen readers. */
  readonly language: string;
  /** Allows the page's own style and script, and nothing else. */
  readonly nonce: string;
  /** The contents of media/usage.css and media/usage.js. */
  readonly style: string;
  readonly script: string;
}

/** The HTML of the page. It loads nothing, and contains all periods, so that switching is immediate. */
export function usagePage(page: UsagePage, { language, nonce, style, script, ...localizer }: PageFrame): string {
  const { l10n } = localizer;
  const title = l10n.t("Usage of Codex Gateway");
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  const nothing = l10n.t("No usage yet. Ask a model or generate an image, and this page shows its usage.");
  const kept = l10n.t("Usage is counted on this computer and kept for 400 days, without prompts and file names.");
  return html`<!DOCTYPE html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <title>${title}</title>
        <style nonce="${nonce}">
          ${new Html(style)}
        </style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${page.isEmpty ? html`<p>${nothing}</p>` : content(page, title, localizer)}
          <p class="note">${kept}</p>
        </main>
        <script nonce="${nonce}">
          ${new Html(script)};
        </script>
      </body>
    </html>`.text;
}

function content({ summaries, budgets, hasPrices }: UsagePage, title: string, localizer: Localizer): Html {
  const { l10n } = localizer;
  const period: Record<PeriodName, string> = {
    today: l10n.t("Today"),
    week: l10n.t("This Week"),
    month: l10n.t("This Month"),
  };
  const actions = { export: l10n.t("Export as CSV…"), clear: l10n.t("Clear Usage…") };
  const all = Object.entries(hasPrices ? actions : { ...actions, prices: l10n.t("Set Prices") });
  const tabs = summaries.map(
    ({ period: { name } }) =>
      html`<button type="button" role="tab" id="tab-${name}" aria-controls="panel-${name}">${period[name]}</button>`,
  );
  return html`<div class="head">
      <div role="tablist" aria-label="${title}">${tabs}</div>
      <div class="actions">
        ${all.map(([name, text]) => html`<button type="button" class="action" data-action="${name}">${text}</button>`)}
      </div>
    </div>
    <p class="news" role="status"></p>
    ${summaries.map((summary) => periodPanel(summary, budgets, localizer))}`;
}

/** The panel of one period: sentences, then charts, then tables. */
function periodPanel(summary: Summary, budgets: readonly BudgetState[], localizer: Localizer): Html {
  const { l10n, numbers } = localizer;
  const { name, from, to } = summary.period;
  const [sentence = "", ...details] = sentencesOf(l10n, summary, numbers);
  const own = budgets.filter(({ period }) => name === (period === "day" ? "today" : "month"));
  const nothing = l10n.t("No requests in this period.");
  const isEstimated = summary.total.estimatedInputTokens + summary.total.estimatedOutputTokens > 0;
  const estimates = l10n.t("≈ contains tokens that the gateway did not count and that are estimated instead.");
  return html`<section role="tabpanel" id="panel-${name}" aria-labelledby="tab-${name}" tabindex="0" hidden>
    <h2>${name === "today" ? numbers.fullDay(from) : numbers.days(from, to)}</h2>
    <p class="sentence">${sentence}</p>
    ${details.length > 0 && html`<p>${sentences(...details)}</p>`}
    ${own.map((state) => budgetLine(state, budgetSentence(l10n, state, numbers)))}
    ${summary.models.length > 0 ? chartsAndTables(summary, localizer) : html`<p>${nothing}</p>`}
    ${summary.entries.length > 0 && entryTable(`entries-${name}`, summary.entries, localizer)}
    ${isEstimated && html`<p class="note">${estimates}</p>`}
  </section>`;
}

function budgetLine({ used, limit, level }: BudgetState, sentence: string): Html {
  return html`<p class="budget">
    ${shareBar(Math.min(1, used / limit), level === "ok" ? "in" : level)} <span>${sentence}</span>
  </p>`;
}

function shareBar(share: number, name: string): Html {
  return html`<svg aria-hidden="true" width="100%" height="8">
    <rect class="track" width="100%" height="8" />
    <rect class="${name}" width="${(share * 100).toFixed(2)}%" height="8" />
  </svg>`;
}

function chartsAndTables(summary: Summary, localizer: Localizer): Html {
  const { period, total, days, models, features } = summary;
  const { l10n, numbers } = localizer;
  const { name } = period;
  const whole = { total, measure: measureOf(total) };
  // A request that ends after midnight adds tokens to a day that may have no requests.
  const used = days.filter(({ sum }) => usageCounts.some((count) => sum[count] > 0));
  const feature = featureNames(l10n);
  const byDay = { id: `days-${name}`, caption: l10n.t("By day"), column: l10n.t("Day"), nameOf: numbers.day };
  const byModel = { id: `models-${name}`, caption: l10n.t("By model"), column: l10n.t("Model"), nameOf: modelName };
  const byFeature: Table<UsageFeature> = {
    id: `features-${name}`,
    caption: l10n.t("By feature"),
    column: l10n.t("Feature"),
    nameOf: (key) => feature[key],
  };
  return html`${name !== "today" && dayChart(summary, whole.measure, localizer)}
    <div class="parts">
      ${shareList(byModel, models, whole, localizer)} ${shareList(byFeature, features, whole, localizer)}
    </div>
    ${name !== "today" && usageTable(byDay, used, localizer)} ${usageTable(byModel, models, localizer)}
    ${usageTable(byFeature, features, localizer)}`;
}

/** Maximum number of bars; the table has all parts. */
const maxBars = 8;

function shareList<Key extends string>(
  { caption, nameOf }: Table<Key>,
  parts: readonly Share<Key>[],
  { total, measure }: { readonly total: Sum; readonly measure: Measure },
  { numbers }: Localizer,
): Html {
  const whole = amountOf(total, measure);
  const rows = parts.slice(0, maxBars).map(({ key, sum }) => {
    // A model without a price has an unknown share of the costs.
    const isKnown = measure !== "cost" || sum.cost !== undefined;
    const share = whole > 0 ? amountOf(sum, measure) / whole : 0;
    return html`<li>
      <span class="name">${nameOf(key)}</span> <span class="share">${isKnown ? numbers.percent(share) : "–"}</span>
      ${shareBar(share, "in")}
    </li>`;
  });
  return html`<section class="shares">
    <h3>${caption}</h3>
    <ul>
      ${rows}
    </ul>
  </section>`;
}

/** The caption and first column of a table. */
interface Table<Key extends string> {
  readonly id: string;
  readonly caption: string;
  readonly column: string;
  readonly nameOf: (key: Key) => string;
}

/** A column: its header, and its cell in a row. */
type Column<Row> = readonly [head: string, cellOf: (row: Row) => string];

function usageTable<Key extends string>(about: Table<Key>, rows: readonly Share<Key>[], localizer: Localizer): Html {
  const { l10n, numbers } = localizer;
  const cost: Column<Share> = [l10n.t("Cost"), ({ sum }) => (sum.cost ? chargeText(sum.cost, numbers.money) : "–")];
  const cached: Column<Share> = [l10n.t("Of which cached"), ({ sum }) => numbers.count(sum.cachedInputTokens)];
  return table(about, rows, [
    ...(rows.some(({ sum }) => sum.cost !== undefined) ? [cost] : []),
    [l10n.t("Requests"), ({ sum }) => numbers.count(sum.requests)],
    [l10n.t("Tokens in"), ({ sum }) => marked(numbers.count(tokensIn(sum)), sum.estimatedInputTokens > 0)],
    ...(rows.some(({ sum }) => sum.cachedInputTokens > 0) ? [cached] : []),
    [l10n.t("Tokens out"), ({ sum }) => marked(numbers.count(tokensOut(sum)), sum.estimatedOutputTokens > 0)],
    [l10n.t("Images"), ({ sum }) => numbers.count(sum.images)],
    [l10n.t("Failed"), ({ sum }) => numbers.count(sum.failures)],
    [l10n.t("Canceled"), ({ sum }) => numbers.count(sum.cancelled)],
  ]);
}

function entryTable(id: string, entries: readonly Share<EntryName>[], { l10n, numbers }: Localizer): Html {
  const names: Record<EntryName, string> = { primary: l10n.t("Primary entry"), backup: l10n.t("Backup entry") };
  const about = { id, caption: l10n.t("By entry"), column: l10n.t("Entry"), nameOf: (key: EntryName) => names[key] };
  return table(about, entries, [
    [l10n.t("Requests"), ({ sum }) => numbers.count(sum.requests)],
    [l10n.t("Failed"), ({ sum }) => numbers.count(sum.failures)],
    [l10n.t("Canceled"), ({ sum }) => numbers.count(sum.cancelled)],
    [l10n.t("Not sent"), ({ sum }) => numbers.count(sum.unsent)],
  ]);
}

/** A table that scrolls by itself in a narrow editor, also by keyboard. */
function table<Key extends string, Row extends Share<Key>>(
  { id, caption, column, nameOf }: Table<Key>,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): Html {
  return html`<div class="table" role="region" aria-labelledby="${id}" tabindex="0">
    <table>
      <caption id="${id}">
        ${caption}
      </caption>
      <thead>
        <tr>
          ${[column, ...columns.map(([head]) => head)].map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              <th scope="row">${nameOf(row.key)}</th>
              ${columns.map(([, cellOf]) => html`<td>${cellOf(row)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** A number, marked if it contains an estimate. */
function marked(number: string, isEstimated: boolean): string {
  return isEstimated ? `≈ ${number}` : number;
}

/** An amount of money, with a plus sign if something without a price was used. */
function chargeText({ amount, isEstimated, isPartial }: Cost, money: (amount: number) => string): string {
  return marked(money(amount), isEstimated) + (isPartial ? "+" : "");
}
