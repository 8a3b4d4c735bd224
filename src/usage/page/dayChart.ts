import { html, type Html } from "../../text/html.ts";
import type { PageTexts } from "./pageTexts.ts";
import { amountOf, type Measure, type Part, type Sum, type Summary, tokensIn, tokensOut } from "./summary.ts";

/** Heights in pixels: the bars, the whole chart, and the room for the labels below. */
const barsHeight = 160;
const top = 18;
const height = top + barsHeight + 22;

/** Days up to which every one has a label: more stand too close in a narrow editor. */
const mostLabels = 7;
const labelEvery = 5;

/** Bars by day, which stretch with the page: places across are percentages, heights are pixels. */
export function dayChart({ days, period }: Summary, measure: Measure, texts: PageTexts): Html {
  const { numbers, measureByDay, highest } = texts;
  const amounts = days.map(({ sum }) => amountOf(sum, measure));
  const most = Math.max(...amounts);
  const scale = measure === "cost" ? niceCeiling(most) : Math.max(2, niceCeiling(most));
  // There is no half a request.
  const lines = gridParts.filter((part) => measure === "cost" || Number.isInteger(scale * part));
  const format = measure === "cost" ? numbers.money : numbers.count;
  const best = days[amounts.indexOf(most)];
  const label = `${measureByDay[measure]}. ${best ? highest(format(most), numbers.day(best.key)) : ""}`;
  return html`<figure>
    <figcaption>${measureByDay[measure]}${measure === "tokens" && legend(texts)}</figcaption>
    <svg class="days" role="img" aria-label="${label}" width="100%" height="${height}">
      ${lines.map(gridLine)} ${days.map((day, index) => bar({ day, index, count: days.length, measure, scale }, texts))}
      <line class="axis" x1="0" x2="100%" y1="${top + barsHeight}" y2="${top + barsHeight}" />
      ${days.map(({ key }, index) => dayLabel(index, days.length, period.name === "week" ? numbers.weekday(key) : numbers.dayOfMonth(key)))}
      ${lines.map((part) => gridLabel(part, (measure === "cost" ? numbers.money : numbers.brief)(scale * part)))}
    </svg>
  </figure>`;
}

/** The next round number of which half is round enough to be read too. */
export function niceCeiling(number: number): number {
  if (number <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(number));
  const factor = [1, 1.2, 1.5, 2, 3, 4, 5, 6, 8, 10].find((one) => one * power >= number) ?? 10;
  return factor * power;
}

function legend({ columns }: PageTexts): Html {
  return html`<span class="legend"
    ><svg aria-hidden="true"><rect class="in" width="10" height="10" /></svg> ${columns.in}
    <svg aria-hidden="true"><rect class="out" width="10" height="10" /></svg> ${columns.out}</span
  >`;
}

/** Where lines across the chart are, as parts of its scale. */
const gridParts = [1, 0.5] as const;

function gridLine(part: number): Html {
  const y = top + barsHeight * (1 - part);
  return html`<line class="grid" x1="0" x2="100%" y1="${y}" y2="${y}" />`;
}

/** Drawn after the bars, which may be in its place. */
function gridLabel(part: number, label: string): Html {
  return html`<text class="scale" x="0" y="${top + barsHeight * (1 - part) - 5}">${label}</text>`;
}

/** Where a bar stands, and what it measures. */
interface Bar {
  readonly day: Part;
  readonly index: number;
  readonly count: number;
  readonly measure: Measure;
  /** The amount at the top. */
  readonly scale: number;
}

function bar({ day: { key, sum }, index, count, measure, scale }: Bar, texts: PageTexts): Html {
  const [step, x] = [100 / count, (100 * index) / count];
  const series = seriesOf(sum, measure, texts).filter(({ amount }) => amount > 0);
  if (series.length === 0) return html``;
  let y = top + barsHeight;
  const rects = series.map(({ name, amount }) => {
    // What is there is visible, also beside a day with much more.
    const size = Math.max(1, (barsHeight * amount) / scale);
    y -= size;
    return html`<rect
      class="${name}"
      x="${places(x + step * 0.15)}%"
      y="${places(y)}"
      width="${places(step * 0.7)}%"
      height="${places(size)}"
    />`;
  });
  const lines = [texts.numbers.day(key), ...series.map(({ label }) => label)];
  return html`<g><title>${lines.join("\n")}</title>${rects}</g>`;
}

/** A part of a bar, from below. */
interface Series {
  readonly name: "in" | "out";
  readonly amount: number;
  readonly label: string;
}

function seriesOf(sum: Sum, measure: Measure, { numbers, columns }: PageTexts): readonly Series[] {
  const counted = (name: Series["name"], amount: number, column: string): Series => ({
    name,
    amount,
    label: `${column}: ${numbers.count(amount)}`,
  });
  const amount = amountOf(sum, measure);
  if (measure === "cost") return [{ name: "in", amount, label: numbers.money(amount) }];
  if (measure === "requests") return [counted("in", amount, columns.requests)];
  return [counted("in", tokensIn(sum), columns.in), counted("out", tokensOut(sum), columns.out)];
}

function dayLabel(index: number, count: number, label: string): Html {
  const isShown = count <= mostLabels || index === 0 || (index + 1) % labelEvery === 0;
  if (!isShown) return html``;
  return html`<text class="day" x="${places((100 * (index + 0.5)) / count)}%" y="${height - 6}">${label}</text>`;
}

function places(number: number): string {
  return number.toFixed(2);
}
