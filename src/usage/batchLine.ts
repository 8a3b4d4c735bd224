import { crc32 } from "node:zlib";
import { asObject } from "../text/json.ts";
import { isDay } from "./localDay.ts";
import type { Additions, PartialRow } from "./tally.ts";
import { type AwayInterval, isEntryName, isUsageFeature, usageCounts } from "./usageRow.ts";

/** What one line of a file adds. A batch that was written twice, after an uncertain failure, counts once by its id. */
export interface Batch extends Additions {
  readonly id: string;
}

/** Maximum length of a model's name. */
export const maxModelName = 200;

/** Maximum plausible interval, in milliseconds: 400 days. */
const longestInterval = 400 * 24 * 60 * 60 * 1000;

/** A line with a checksum, so that a reader recognizes one that was written only in part. */
export function toLine(content: object): string {
  const json = JSON.stringify(content);
  return `${checksum(json)} ${json}`;
}

/** The content of a line; `undefined` if it is damaged. */
export function fromLine(line: string): Readonly<Record<string, unknown>> | undefined {
  const json = line.slice(9);
  if (line[8] !== " " || line.slice(0, 8) !== checksum(json)) return undefined;
  try {
    return asObject(JSON.parse(json));
  } catch {
    return undefined;
  }
}

/** A batch as the content of a line, without what is zero. */
export function batchLine({ id, rows, away }: Batch): string {
  const counted = rows.map(({ day, model, feature, entry, ...row }) => {
    const counts = usageCounts.flatMap((count) => (row[count] ? [[count, row[count]] as const] : []));
    return { day, model, feature, entry, ...Object.fromEntries(counts) };
  });
  return toLine({ id, rows: counted, ...(away.length > 0 && { away }) });
}

/** The batch in a line's content; `undefined` if there is none. Rows that this version does not know are left out. */
export function toBatch(content: Readonly<Record<string, unknown>>): Batch | undefined {
  const { id, rows, away = [] } = content;
  if (typeof id !== "string" || !Array.isArray(rows) || !Array.isArray(away)) return undefined;
  return {
    id,
    rows: rows.map(toRow).filter((row) => row !== undefined),
    away: away.map(toInterval).filter((interval) => interval !== undefined),
  };
}

function toRow(value: unknown): PartialRow | undefined {
  const { day, model, feature, entry, ...rest } = asObject(value) ?? {};
  if (!isDay(day) || typeof model !== "string" || model.length > maxModelName) return undefined;
  if (!isUsageFeature(feature) || !isEntryName(entry)) return undefined;
  const counts: Partial<Record<(typeof usageCounts)[number], number>> = {};
  for (const count of usageCounts) {
    const number = rest[count];
    if (number === undefined) continue;
    if (typeof number !== "number" || !Number.isSafeInteger(number) || number < 0) return undefined;
    counts[count] = number;
  }
  return { day, model, feature, entry, ...counts };
}

function toInterval(value: unknown): AwayInterval | undefined {
  const { entry, from, to } = asObject(value) ?? {};
  if (!isEntryName(entry) || !Number.isSafeInteger(from) || !Number.isSafeInteger(to)) return undefined;
  const [start, end] = [Number(from), Number(to)];
  return start >= 0 && start < end && end - start <= longestInterval ? { entry, from: start, to: end } : undefined;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}
