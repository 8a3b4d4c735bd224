import { html, type Html } from "../../text/html.ts";
import type { PageTexts } from "./pageTexts.ts";
import type { Cost } from "../prices.ts";
import { type EntryPart, type Part, type Sum, tokensIn, tokensOut } from "./summary.ts";

/** What the rows of a table are. */
interface TableOf<Key extends string> {
  readonly id: string;
  readonly caption: string;
  /** Head of the first column. */
  readonly column: string;
  readonly nameOf: (key: Key) => string;
}

/** A table of what days, models, or features took. */
export function usageTable<Key extends string>(
  { id, caption, column, nameOf }: TableOf<Key>,
  parts: readonly Part<Key>[],
  texts: PageTexts,
): Html {
  const { columns, numbers } = texts;
  const hasCost = parts.some(({ sum }) => sum.cost !== undefined);
  const head = [
    ...(hasCost ? [columns.cost] : []),
    ...[columns.requests, columns.in, columns.out, columns.images, columns.failed, columns.canceled],
  ];
  const cells = (sum: Sum): readonly string[] => [
    ...(hasCost ? [sum.cost === undefined ? "–" : costText(sum.cost, numbers.money)] : []),
    numbers.count(sum.requests),
    tokens(tokensIn(sum), sum.estimatedInputTokens, numbers.count),
    tokens(tokensOut(sum), sum.estimatedOutputTokens, numbers.count),
    numbers.count(sum.images),
    numbers.count(sum.failures),
    numbers.count(sum.cancelled),
  ];
  const rows = parts.map(({ key, sum }) => ({ name: nameOf(key), cells: cells(sum) }));
  return table({ caption, id, head: [column, ...head], rows });
}

/** A table of how the entries did. */
export function entryTable(id: string, parts: readonly EntryPart[], texts: PageTexts): Html {
  const { columns, numbers, entry, byEntry } = texts;
  const rows = parts.map(({ key, sum, away }) => ({
    name: entry[key],
    cells: [
      ...[sum.requests, sum.failures, sum.cancelled, sum.unsent].map(numbers.count),
      away > 0 ? numbers.duration(away) : "–",
    ],
  }));
  const head = [columns.entry, columns.requests, columns.failed, columns.canceled, columns.unsent, columns.away];
  return table({ caption: byEntry, id, head, rows });
}

interface Table {
  readonly caption: string;
  readonly id: string;
  readonly head: readonly string[];
  readonly rows: readonly { readonly name: string; readonly cells: readonly string[] }[];
}

/** A table that scrolls for itself where the editor is narrow, also by keyboard. */
function table({ caption, id, head, rows }: Table): Html {
  return html`<div class="table" role="region" aria-labelledby="${id}" tabindex="0">
    <table>
      <caption id="${id}">
        ${caption}
      </caption>
      <thead>
        <tr>
          ${head.map((title) => html`<th scope="col">${title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ({ name, cells }) =>
            html`<tr>
              <th scope="row">${name}</th>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** A number of tokens, marked if estimated ones are among them. */
function tokens(sum: number, estimated: number, count: (number: number) => string): string {
  return estimated > 0 ? `≈ ${count(sum)}` : count(sum);
}

/** An amount of money, marked as a token count is, and with a plus sign if something in it has no price. */
function costText({ amount, isEstimated, isPartial }: Cost, money: (amount: number) => string): string {
  return `${isEstimated ? "≈ " : ""}${money(amount)}${isPartial ? "+" : ""}`;
}
