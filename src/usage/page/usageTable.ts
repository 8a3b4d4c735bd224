import { html, type Html } from "../../text/html.ts";
import type { PageTexts } from "./pageTexts.ts";
import type { Cost } from "../prices.ts";
import { type EntryPart, type Part, tokensIn, tokensOut } from "./summary.ts";

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
export function usageTable<Row extends Part>(about: Table<Row>, rows: readonly Row[], texts: PageTexts): Html {
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
export function entryTable(id: string, entries: readonly EntryPart[], texts: PageTexts): Html {
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
