import { formatMoney } from "../prices.ts";

const minute = 60_000;

/** More is shown as more than this: a budget can be tiny. */
const highestShare = 9.99;

/** Numbers, days, and durations in the display language. */
export type PageNumbers = ReturnType<typeof numbersIn>;

/** `currency`: of all amounts of money. */
export function pageNumbers(language: string, currency: string): PageNumbers {
  return numbersIn(language, currency);
}

function numbersIn(language: string, currency: string) {
  const numberFormat = (options?: Intl.NumberFormatOptions): ((number: number) => string) => {
    const format = new Intl.NumberFormat(language, options);
    return (number) => format.format(number);
  };
  // Days have no time zone: they are read and shown in UTC.
  const dateFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(language, { timeZone: "UTC", ...options });
  const date = (options: Intl.DateTimeFormatOptions): ((day: string) => string) => {
    const format = dateFormat(options);
    return (day) => format.format(new Date(day));
  };
  const percent = numberFormat({ style: "percent" });
  const fine = numberFormat({ style: "percent", maximumFractionDigits: 1 });
  const duration = new Intl.DurationFormat(language, { style: "short" });
  const range = dateFormat({ dateStyle: "long" });
  const list = new Intl.ListFormat(language);
  return {
    count: numberFormat(),
    /** For little room: 1.2M. */
    brief: numberFormat({ notation: "compact", maximumSignificantDigits: 3 }),
    /** A share; 1 is all. */
    percent: (share: number): string => {
      if (share > highestShare) return `>${percent(highestShare)}`;
      return share > 0 && share < 0.01 ? fine(share) : percent(share);
    },
    money: (amount: number): string => formatMoney(amount, currency, language),
    /** In milliseconds. */
    duration: (time: number): string => {
      const minutes = Math.round(time / minute);
      if (minutes === 0) return duration.format({ seconds: Math.max(1, Math.round(time / 1_000)) });
      const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
      return duration.format({ ...(hours > 0 && { hours }), ...(rest > 0 && { minutes: rest }) });
    },
    /** A day in full, for a table, and for the label of a bar. */
    fullDay: date({ dateStyle: "full" }),
    day: date({ weekday: "short", month: "short", day: "numeric" }),
    weekday: date({ weekday: "short" }),
    dayOfMonth: date({ day: "numeric" }),
    days: (from: string, to: string): string => range.formatRange(new Date(from), new Date(to)),
    list: (items: readonly string[]): string => list.format(items),
  };
}
