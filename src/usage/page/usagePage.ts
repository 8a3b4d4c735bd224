import { html, Html } from "../../text/html.ts";
import { budgetSentence, type BudgetState } from "../budget.ts";
import type { Cost } from "../prices.ts";
import { dayChart } from "./dayChart.ts";
import { datesOf, type L10n, modelName, type PageTexts, paragraphOf, sentencesOf } from "./pageTexts.ts";
import {
  amountOf,
  type EntryPart,
  type Measure,
  measureOf,
  type Part,
  type Sum,
  type Summary,
  wasUsed,
} from "./summary.ts";
import { tokensIn, tokensOut } from "../usageRow.ts";

/** What the page shows. */
export interface UsagePage {
  readonly summaries: readonly Summary[];
  readonly budgets: readonly BudgetState[];
  readonly hasPrices: boolean;
  /** Whether there is nothing at all yet. */
  readonly isEmpty: boolean;
}

/** How the page is made. */
export interface PageFrame {
  readonly l10n: L10n;
  readonly texts: PageTexts;
  /** Language tag of the texts, for screen readers. */
  readonly language: string;
  /** Allows the page's own style and script, and nothing else. */
  readonly nonce: string;
  /** The contents of media/usage.css and media/usage.js. */
  readonly style: string;
  readonly script: string;
}

/** The HTML of the page. It loads nothing, and has all periods, so that switching between them needs no answer. */
export function usagePage(page: UsagePage, { language, nonce, style, script, ...words }: PageFrame): string {
  const { texts } = words;
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  return html`<!DOCTYPE html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <title>${texts.title}</title>
        <style nonce="${nonce}">
          ${new Html(style)}
        </style>
      </head>
      <body>
        <main>
          <h1>${texts.title}</h1>
          ${page.isEmpty ? html`<p>${texts.nothingYet}</p>` : content(page, words)}
          <p class="note">${texts.keptHere}</p>
        </main>
        <script nonce="${nonce}">
          ${new Html(script)};
        </script>
      </body>
    </html>`.text;
}

type Words = Pick<PageFrame, "l10n" | "texts">;

function content({ summaries, budgets, hasPrices }: UsagePage, words: Words): Html {
  const { actions, period, title } = words.texts;
  const tabs = summaries.map(
    ({ period: { name } }) =>
      html`<button type="button" role="tab" id="tab-${name}" aria-controls="panel-${name}">${period[name]}</button>`,
  );
  const names = ["export", "clear", ...(hasPrices ? [] : (["prices"] as const))] as const;
  return html`<div class="head">
      <div role="tablist" aria-label="${title}">${tabs}</div>
      <div class="actions">
        ${names.map((name) => html`<button type="button" class="action" data-action="${name}">${actions[name]}</button>`)}
      </div>
    </div>
    <p class="news" role="status"></p>
    ${summaries.map((summary) => periodPanel(summary, budgets, words))}`;
}

/** What the page shows about one period: sentences first, then pictures, then tables. */
function periodPanel(
  summary: Summary,
  budgets: readonly BudgetState[],
  { l10n, texts }: { readonly l10n: L10n; readonly texts: PageTexts },
): Html {
  const { name } = summary.period;
  const [sentence = "", ...details] = sentencesOf(l10n, summary, texts.numbers);
  const own = budgets.filter(({ period }) => name === (period === "day" ? "today" : "month"));
  return html`<section role="tabpanel" id="panel-${name}" aria-labelledby="tab-${name}" tabindex="0" hidden>
    <h2>${datesOf(summary.period, texts.numbers)}</h2>
    <p class="sentence">${sentence}</p>
    ${details.length > 0 && html`<p>${paragraphOf(details)}</p>`}
    ${own.map((state) => budgetLine(state, budgetSentence(l10n, state, texts.numbers)))}
    ${summary.models.length > 0 ? [pictures(summary, texts), tables(summary, texts)] : html`<p>${texts.nothingIn}</p>`}
    ${summary.entries.length > 0 && entryTable(`entries-${name}`, summary.entries, texts)}
    ${hasEstimates(summary.total) && html`<p class="note">${texts.estimates}</p>`}
  </section>`;
}

/** How much of a budget is used, as a bar and in words. */
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

function pictures(summary: Summary, texts: PageTexts): Html {
  const { period, total, models, features } = summary;
  const whole = { total, measure: measureOf(total) };
  return html`${period.name !== "today" && dayChart(summary, whole.measure, texts)}
    <div class="parts">
      ${shareList({ title: texts.byModel, nameOf: modelName }, models, whole, texts)}
      ${shareList({ title: texts.byFeature, nameOf: (key) => texts.feature[key] }, features, whole, texts)}
    </div>`;
}

function tables({ period, days, models, features }: Summary, texts: PageTexts): Html {
  const { columns, byDay, byModel, byFeature, feature, numbers } = texts;
  const id = (name: string): string => `${name}-${period.name}`;
  const ofDays = { id: id("days"), caption: byDay, column: columns.day, nameOf: numbers.day };
  const ofModels = { id: id("models"), caption: byModel, column: columns.model, nameOf: modelName };
  const ofFeatures = { id: id("features"), caption: byFeature, column: columns.feature };
  return html`${period.name !== "today" && usageTable(ofDays, days.filter(wasUsed), texts)}
  ${usageTable(ofModels, models, texts)}
  ${usageTable({ ...ofFeatures, nameOf: (key) => feature[key] }, features, texts)}`;
}

function hasEstimates({ estimatedInputTokens, estimatedOutputTokens }: Sum): boolean {
  return estimatedInputTokens + estimatedOutputTokens > 0;
}

/** Parts that get a bar of their own; the table has all. */
const mostParts = 8;

/** The shares of models or features as bars with their names. */
function shareList<Key extends string>(
  { title, nameOf }: { readonly title: string; readonly nameOf: (key: Key) => string },
  parts: readonly Part<Key>[],
  { total, measure }: { readonly total: Sum; readonly measure: Measure },
  { numbers }: PageTexts,
): Html {
  const whole = amountOf(total, measure);
  const rows = parts.slice(0, mostParts).map(({ key, sum }) => {
    // A model without a price has an unknown share of the costs.
    const isKnown = measure !== "cost" || sum.cost !== undefined;
    const share = whole > 0 ? amountOf(sum, measure) / whole : 0;
    return html`<li>
      <span class="name">${nameOf(key)}</span> <span class="share">${isKnown ? numbers.percent(share) : "–"}</span>
      ${shareBar(share, "in")}
    </li>`;
  });
  return html`<section class="shares">
    <h3>${title}</h3>
    <ul>
      ${rows}
    </ul>
  </section>`;
}

/** What a table is about. */
interface Table<Row extends Part> {
  readonly id: string;
  readonly caption: string;
  /** Head of the first column. */
  readonly column: string;
  readonly nameOf: (key: Row["key"]) => string;
}

/** A column: its head, and its cell in a row. */
type Column<Row> = readonly [head: string, cellOf: (row: Row) => string];

/** A table of what days, models, or features took. */
function usageTable<Row extends Part>(about: Table<Row>, rows: readonly Row[], texts: PageTexts): Html {
  const { columns, numbers } = texts;
  const cost: Column<Row> = [columns.cost, ({ sum }) => (sum.cost ? costText(sum.cost, numbers.money) : "–")];
  return table(about, rows, [
    ...(rows.some(({ sum }) => sum.cost !== undefined) ? [cost] : []),
    [columns.requests, ({ sum }) => numbers.count(sum.requests)],
    [columns.in, ({ sum }) => marked(numbers.count(tokensIn(sum)), sum.estimatedInputTokens > 0)],
    [columns.out, ({ sum }) => marked(numbers.count(tokensOut(sum)), sum.estimatedOutputTokens > 0)],
    [columns.images, ({ sum }) => numbers.count(sum.images)],
    [columns.failed, ({ sum }) => numbers.count(sum.failures)],
    [columns.canceled, ({ sum }) => numbers.count(sum.cancelled)],
  ]);
}

/** A table of how the entries did. */
function entryTable(id: string, entries: readonly EntryPart[], texts: PageTexts): Html {
  const { columns, numbers, entry, byEntry } = texts;
  return table({ id, caption: byEntry, column: columns.entry, nameOf: (key) => entry[key] }, entries, [
    [columns.requests, ({ sum }) => numbers.count(sum.requests)],
    [columns.failed, ({ sum }) => numbers.count(sum.failures)],
    [columns.canceled, ({ sum }) => numbers.count(sum.cancelled)],
    [columns.unsent, ({ sum }) => numbers.count(sum.unsent)],
    [columns.away, ({ away }) => (away > 0 ? numbers.duration(away) : "–")],
  ]);
}

/** A table that scrolls for itself where the editor is narrow, also by keyboard. */
function table<Row extends Part>(
  { id, caption, column, nameOf }: Table<Row>,
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

/** A number, marked if something estimated is in it. */
function marked(number: string, isEstimated: boolean): string {
  return isEstimated ? `≈ ${number}` : number;
}

/** An amount of money, with a plus sign if something in it has no price. */
function costText({ amount, isEstimated, isPartial }: Cost, money: (amount: number) => string): string {
  return marked(money(amount), isEstimated) + (isPartial ? "+" : "");
}
