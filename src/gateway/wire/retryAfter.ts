import type { HttpAnswer } from "../network/exchange.ts";

/** Longer waits are told as this: nobody waits for a century, and no date is to break on it. One year in milliseconds. */
const longest = 31_536_000_000;

/** Wait requested by the gateway, in milliseconds. */
export function retryAfter(headers: HttpAnswer["headers"], now: number): number | undefined {
  const milliseconds = values(headers, "retry-after-ms").map(number);
  const sentAt =
    values(headers, "date")
      .map((value) => httpDate(value, now))
      .find(isKnown) ?? now;
  const delays = values(headers, "retry-after").map((value) => {
    const seconds = number(value);
    if (seconds !== undefined) return seconds * 1_000;
    const date = httpDate(value, now);
    return date === undefined ? undefined : Math.max(0, date - sentAt);
  });
  return sanest(milliseconds) ?? sanest(delays);
}

function sanest(delays: readonly (number | undefined)[]): number | undefined {
  const known = delays.filter(isKnown);
  if (known.length === 0) return undefined;
  const sane = known.filter((delay) => delay <= longest);
  return sane.length === 0 ? longest : Math.max(...sane);
}

/** All values of a header, repeated or in a list. The comma after the day of a date belongs to the date. */
function values(headers: HttpAnswer["headers"], name: string): readonly string[] {
  const lines = headers[name] ?? [];
  return [lines]
    .flat()
    .flatMap((line: string) =>
      line.split(/(?<!\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}),/i).map((value) => value.trim()),
    );
}

function number(text: string): number | undefined {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** The three forms of RFC 9110, 5.6.7: IMF-fixdate, RFC 850 and that of C's `asctime`. */
const dateForms = [
  /^[a-z]{3}, (?<day>\d{2}) (?<month>[a-z]{3}) (?<year>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/i,
  /^[a-z]{6,9}, (?<day>\d{2})-(?<month>[a-z]{3})-(?<year>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/i,
  /^[a-z]{3} (?<month>[a-z]{3}) (?<day>[\d ]\d) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4})$/i,
];

function httpDate(text: string, now: number): number | undefined {
  const {
    day = "",
    month = "",
    year = "",
    time = "",
  } = dateForms.map((form) => form.exec(text)?.groups).find(Boolean) ?? {};
  const number = months.indexOf(month.toLowerCase()) + 1;
  const iso = `${fullYear(year, now)}-${String(number).padStart(2, "0")}-${day.trim().padStart(2, "0")}T${time}Z`;
  const date = Date.parse(iso);
  // The 31st of February would be a day in March.
  return new Date(date).getUTCDate() === Number(day) ? date : undefined;
}

/** Of two digits: RFC 9110 takes a year more than fifty years ahead for one of the past. */
function fullYear(year: string, now: number): string {
  if (year.length !== 2) return year;
  const thisYear = new Date(now).getUTCFullYear();
  const inThisCentury = thisYear - (thisYear % 100) + Number(year);
  return String(inThisCentury > thisYear + 50 ? inThisCentury - 100 : inThisCentury);
}

function isKnown<T>(value: T | undefined): value is T {
  return value !== undefined;
}
