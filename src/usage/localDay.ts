/** The local calendar day of a time in milliseconds since the epoch, as "YYYY-MM-DD". */
export function dayOf(time: number): string {
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, "YYYY-MM-DD".length);
}

/** The day `days` after a day, or before it if negative. Days have no hours, so daylight saving does not matter. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** When a local day starts, in milliseconds since the epoch. */
export function startOfDay(day: string): number {
  return new Date(`${day}T00:00`).getTime();
}

/** Whether a text is a day that exists. */
export function isDay(value: unknown): value is string {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

export type PeriodName = "today" | "week" | "month";

/** Local calendar days, as "YYYY-MM-DD", including both. The current week and month end in the future. */
export interface Period {
  readonly name: PeriodName;
  readonly from: string;
  readonly to: string;
}

/** The periods that a day is in. `weekStart`: 1 for Monday to 7 for Sunday. */
export function periodsOf(today: string, weekStart: number): readonly Period[] {
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay();
  const weekFrom = addDays(today, -((weekday - weekStart + 7) % 7));
  const monthFrom = `${today.slice(0, 8)}01`;
  // 31 days after the first of a month is always in the next one.
  const nextMonth = `${addDays(monthFrom, 31).slice(0, 8)}01`;
  return [
    { name: "today", from: today, to: today },
    { name: "week", from: weekFrom, to: addDays(weekFrom, 6) },
    { name: "month", from: monthFrom, to: addDays(nextMonth, -1) },
  ];
}

export function daysIn({ from, to }: Period): readonly string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/**
 * The first day of the week, 1 for Monday to 7 for Sunday. For a display language without a region, such as "en", the
 * region of the system decides if its language is the same.
 */
export function weekStartOf(language: string, system: string): number {
  const shown = localeOf(language);
  const ofSystem = localeOf(system);
  const locale = shown?.region === undefined && ofSystem?.language === shown?.language ? ofSystem : shown;
  return (locale as WithWeekInfo | undefined)?.getWeekInfo?.().firstDay ?? 1;
}

/** ECMA-402 of 2025, which TypeScript 6 does not know yet. */
interface WithWeekInfo {
  readonly getWeekInfo?: () => { readonly firstDay: number };
}

function localeOf(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag);
  } catch {
    return undefined;
  }
}
