import { formatMoney } from "../prices.ts";

/** Numbers, days, and durations in the display language. */
export interface PageNumbers {
  readonly count: (number: number) => string;
  /** For little room: 1.2M. */
  readonly brief: (number: number) => string;
  /** A share; 1 is all. */
  readonly percent: (share: number) => string;
  readonly money: (amount: number) => string;
  /** In milliseconds. */
  readonly duration: (time: number) => string;
  /** A day in full, for a table, and for the label of a bar. */
  readonly fullDay: (day: string) => string;
  readonly day: (day: string) => string;
  readonly weekday: (day: string) => string;
  readonly dayOfMonth: (day: string) => string;
  readonly days: (from: string, to: string) => string;
  readonly list: (items: readonly string[]) => string;
}

const minute = 60_000;

/** More is shown as more than this: a budget can be tiny. */
const highestShare = 9.99;

/** `currency`: of all amounts of money. */
export function pageNumbers(language: string, currency: string): PageNumbers {
  const count = new Intl.NumberFormat(language);
  const brief = new Intl.NumberFormat(language, { notation: "compact", maximumSignificantDigits: 3 });
  const percent = new Intl.NumberFormat(language, { style: "percent" });
  const fine = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });
  const duration = new Intl.DurationFormat(language, { style: "short" });
  const list = new Intl.ListFormat(language);
  // Days have no time zone: they are read and shown in UTC.
  const date = (options: Intl.DateTimeFormatOptions): ((day: string) => string) => {
    const format = new Intl.DateTimeFormat(language, { timeZone: "UTC", ...options });
    return (day) => format.format(new Date(day));
  };
  const range = new Intl.DateTimeFormat(language, { timeZone: "UTC", dateStyle: "long" });
  return {
    count: (number) => count.format(number),
    brief: (number) => brief.format(number),
    percent: (share) => {
      if (share > highestShare) return `>${percent.format(highestShare)}`;
      return (share > 0 && share < 0.01 ? fine : percent).format(share);
    },
    money: (amount) => formatMoney(amount, currency, language),
    duration: (time) => {
      const minutes = Math.round(time / minute);
      if (minutes === 0) return duration.format({ seconds: Math.max(1, Math.round(time / 1_000)) });
      const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
      return duration.format({ ...(hours > 0 && { hours }), ...(rest > 0 && { minutes: rest }) });
    },
    day: date({ weekday: "short", month: "short", day: "numeric" }),
    fullDay: date({ dateStyle: "full" }),
    weekday: date({ weekday: "short" }),
    dayOfMonth: date({ day: "numeric" }),
    days: (from, to) => range.formatRange(new Date(from), new Date(to)),
    list: (items) => list.format(items),
  };
}
