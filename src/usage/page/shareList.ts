import { html, type Html } from "../../text/html.ts";
import type { PageTexts } from "./pageTexts.ts";
import { amountOf, type Measure, type Part, type Sum } from "./summary.ts";

/** Parts that get a bar of their own; the table has all. */
const mostParts = 8;

/** The shares of models or features as bars with their names. */
export function shareList<Key extends string>(
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
      <svg aria-hidden="true" width="100%" height="8">
        <rect class="track" width="100%" height="8" />
        <rect class="in" width="${(share * 100).toFixed(2)}%" height="8" />
      </svg>
    </li>`;
  });
  return html`<section class="shares">
    <h3>${title}</h3>
    <ul>
      ${rows}
    </ul>
  </section>`;
}
