/** The local calendar day of a time in milliseconds since the epoch, as "YYYY-MM-DD". */
export function dayOf(time: number): string {
  const date = new Date(time);
  return [pad(date.getFullYear(), 4), pad(date.getMonth() + 1, 2), pad(date.getDate(), 2)].join("-");
}

/** The day `days` after a day, or before it if negative. Days have no hours, so daylight saving does not matter. */
export function dayAfter(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** When a local day starts, in milliseconds since the epoch. */
export function startOf(day: string): number {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date).getTime();
}

/** Whether a text is a day that exists. */
export function isDay(value: unknown): value is string {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

function pad(number: number, length: number): string {
  return String(number).padStart(length, "0");
}
