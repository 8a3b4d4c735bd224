import type { HttpAnswer } from "../network/exchange.ts";

/** Longest wait that is reported, one year in milliseconds. Keeps dates valid. */
const longest = 31_536_000_000;

/**
 * Reads how long the gateway asks to wait, in milliseconds: `retry-after-ms`, else `Retry-After` in seconds or as an
 * HTTP date, relative to the answer's own `Date` (RFC 9110, 10.2.3). Of several values, uses the longest valid one.
 * Anything else, including negative numbers, counts as absent. `now` is milliseconds since the epoch.
 */
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

/** All values of a header, repeated or comma-separated. The comma in a date belongs to the date. */
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

/** The three date formats of RFC 9110, 5.6.7: IMF-fixdate, RFC 850 and asctime. */
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
  // `Date.UTC` turns February 31 into a day in March.
  return new Date(date).getUTCDate() === Number(day) ? date : undefined;
}

/** Completes a two-digit year: RFC 9110 (5.6.7) interprets one more than 50 years ahead as past. */
function fullYear(year: string, now: number): string {
  if (year.length !== 2) return year;
  const thisYear = new Date(now).getUTCFullYear();
  const inThisCentury = thisYear - (thisYear % 100) + Number(year);
  return String(inThisCentury > thisYear + 50 ? inThisCentury - 100 : inThisCentury);
}

function isKnown<T>(value: T | undefined): value is T {
  return value !== undefined;
}
