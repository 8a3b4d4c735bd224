import { dayAfter, dayOf, startOf } from "./localDay.ts";
import type { AwayInterval, AwayTime } from "./usageRow.ts";

/** Several windows see the same entry away at the same time, which counts once: intervals of an entry are united. */
export function unionOf(intervals: readonly AwayInterval[]): readonly AwayInterval[] {
  const united: { entry: AwayInterval["entry"]; from: number; to: number }[] = [];
  const last = new Map<string, (typeof united)[number]>();
  for (const next of intervals.toSorted((one, other) => one.from - other.from)) {
    const known = last.get(next.entry);
    if (known && next.from <= known.to) {
      known.to = Math.max(known.to, next.to);
      continue;
    }
    const interval = { ...next };
    last.set(next.entry, interval);
    united.push(interval);
  }
  return united;
}

/** How long each entry was away on each day, from united intervals. */
export function awayByDay(intervals: readonly AwayInterval[]): readonly AwayTime[] {
  const times = new Map<string, AwayTime>();
  for (const { entry, from, to } of intervals) {
    for (let start = from; start < to;) {
      const day = dayOf(start);
      const end = Math.min(to, startOf(dayAfter(day, 1)));
      const duration = (times.get(`${day} ${entry}`)?.duration ?? 0) + end - start;
      times.set(`${day} ${entry}`, { day, entry, duration });
      start = end;
    }
  }
  return [...times.values()].sort((one, other) => one.day.localeCompare(other.day));
}
