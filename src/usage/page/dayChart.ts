import { html, type Html } from "../../text/html.ts";
import type { L10n, Localizer } from "./pageTexts.ts";
import { amountOf, type Measure, type Share, type Sum, type Summary } from "./summary.ts";
import { tokensIn, tokensOut } from "../usageRow.ts";

/** Heights in pixels: of the bars, of the space above them, and of the chart with the labels below. */
const barsHeight = 160;
const top = 18;
const height = top + barsHeight + 22;

/** Maximum number of days that all have a label: more would overlap in a narrow editor. */
const maxLabels = 7;
const labelEvery = 5;

/** A bar chart by day that stretches with the page: horizontal positions are percentages, heights are pixels. */
export function dayChart({ days, period }: Summary, measure: Measure, localizer: Localizer): Html {
  const { l10n, numbers } = localizer;
  const titles: Record<Measure, string> = {
    cost: l10n.t("Cost by day"),
    tokens: l10n.t("Tokens by day"),
    requests: l10n.t("Requests by day"),
  };
  const isCost = measure === "cost";
  const [format, brief] = isCost ? [numbers.money, numbers.money] : [numbers.count, numbers.brief];
  const amounts = days.map(({ sum }) => amountOf(sum, measure));
  const most = Math.max(...amounts);
  const scale = isCost ? niceCeiling(most) : Math.max(2, niceCeiling(most));
  // Half a request does not exist.
  const parts = [1, 0.5].filter((part) => isCost || Number.isInteger(scale * part));
  const lines = parts.map((part) => ({ y: top + barsHeight * (1 - part), label: brief(scale * part) }));
  const best = days[amounts.indexOf(most)];
  const highest = best ? l10n.t("Highest: {0} on {1}.", format(most), numbers.day(best.key)) : "";
  const nameOf = period.name === "week" ? numbers.weekday : numbers.dayOfMonth;
  const step = 100 / days.length;
  return html`<figure>
    <figcaption>${titles[measure]}${measure === "tokens" && legend(l10n)}</figcaption>
    <svg class="days" role="img" aria-label="${titles[measure]}. ${highest}" width="100%" height="${height}">
      ${lines.map(({ y }) => html`<line class="grid" x1="0" x2="100%" y1="${y}" y2="${y}" />`)}
      ${days.map((day, index) => bar(day, { x: index * step, step, scale }, seriesOf(day.sum, measure, localizer), numbers))}
      <line class="axis" x1="0" x2="100%" y1="${top + barsHeight}" y2="${top + barsHeight}" />
      ${days.map(
        ({ key }, index) =>
          (days.length <= maxLabels || index === 0 || (index + 1) % labelEvery === 0) &&
          html`<text class="day" x="${decimals((index + 0.5) * step)}%" y="${height - 6}">${nameOf(key)}</text>`,
      )}
      ${lines.map(({ y, label }) => html`<text class="scale" x="0" y="${y - 5}">${label}</text>`)}
    </svg>
  </figure>`;
}

/** The next round number whose half is easy to read too. */
export function niceCeiling(number: number): number {
  if (number <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(number));
  const factor = [1, 1.2, 1.5, 2, 3, 4, 5, 6, 8, 10].find((one) => one * power >= number) ?? 10;
  return factor * power;
}

function legend(l10n: L10n): Html {
  return html`<span class="legend"
    ><svg aria-hidden="true"><rect class="in" width="10" height="10" /></svg> ${l10n.t("Tokens in")}
    <svg aria-hidden="true"><rect class="out" width="10" height="10" /></svg> ${l10n.t("Tokens out")}</span
  >`;
}

/** A segment of a bar, from the bottom. */
interface Series {
  readonly name: "in" | "out";
  readonly amount: number;
  readonly label: string;
}

function seriesOf(sum: Sum, measure: Measure, { l10n, numbers }: Localizer): readonly Series[] {
  const amount = amountOf(sum, measure);
  if (measure === "cost") return [{ name: "in", amount, label: numbers.money(amount) }];
  const counted = (name: Series["name"], count: number, column: string): Series => ({
    name,
    amount: count,
    label: `${column}: ${numbers.count(count)}`,
  });
  if (measure === "requests") return [counted("in", amount, l10n.t("Requests"))];
  const [tokens, cached] = [counted("in", tokensIn(sum), l10n.t("Tokens in")), numbers.count(sum.cachedInputTokens)];
  const label = sum.cachedInputTokens > 0 ? l10n.t("{0} (of which {1} cached)", tokens.label, cached) : tokens.label;
  return [{ ...tokens, label }, counted("out", tokensOut(sum), l10n.t("Tokens out"))];
}

/** `x` and `step`: the day's left edge and width, in percent. `scale`: the amount that fills the height. */
function bar(
  { key }: Share,
  { x, step, scale }: Readonly<Record<"x" | "step" | "scale", number>>,
  all: readonly Series[],
  { day }: Localizer["numbers"],
): Html | undefined {
  const series = all.filter(({ amount }) => amount > 0);
  if (series.length === 0) return undefined;
  let y = top + barsHeight;
  const rects = series.map(({ name, amount }) => {
    // At least one pixel, so that a small amount is visible beside a large one.
    const size = Math.max(1, (barsHeight * amount) / scale);
    y -= size;
    return html`<rect
      class="${name}"
      x="${decimals(x + step * 0.15)}%"
      y="${decimals(y)}"
      width="${decimals(step * 0.7)}%"
      height="${decimals(size)}"
    />`;
  });
  return html`<g><title>${[day(key), ...series.map(({ label }) => label)].join("\n")}</title>${rects}</g>`;
}

function decimals(number: number): string {
  return number.toFixed(2);
}
