import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { asCount, asObject, parseJson } from "../text/json.ts";
import { namesIn, unlessMissing } from "../text/fileErrors.ts";
import { dayAfter, isDay } from "./localDay.ts";
import {
  type Additions,
  type AwayInterval,
  isEntryName,
  isUsageFeature,
  type UsageCount,
  usageCounts,
} from "./usageRow.ts";

/** Maximum length of a model's name, in characters. */
export const maxModelName = 200;

/** Maximum size of a file that is read, in bytes. No window writes one that large. */
const largestFile = 8 * 1024 * 1024;

/** Days that are kept. */
const daysKept = 400;

/** Maximum plausible interval, in milliseconds: 400 days. */
const longestInterval = daysKept * 24 * 60 * 60 * 1000;

/**
 * The files of a ledger: one for each window and day, always replaced as a whole, so that it is never half written. Only
 * the user may read them.
 */
export class UsageFiles {
  readonly #folder: string;
  readonly #known = new Map<string, { readonly version: string; readonly file: Additions | undefined }>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The path of a new file for a day. */
  newPath(day: string): string {
    return join(this.#folder, `${day}.${crypto.randomUUID()}.json`);
  }

  /**
   * Replaces a file. Waits for nothing, because a window may be closing. A file has a few KB, and is written at most once a
   * second.
   */
  write(path: string, { rows, away }: Additions): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    writeFileSync(`${path}.tmp`, textOf({ rows, away }), { mode: 0o600 });
    renameSync(`${path}.tmp`, path);
  }

  /** Whether a file is still there. */
  has(path: string): boolean {
    return existsSync(path);
  }

  /** What the files hold. One of a day before yesterday is read once, and one of today when it has changed. */
  async read(today: string): Promise<readonly Additions[]> {
    const files: Additions[] = [];
    const yesterday = dayAfter(today, -1);
    for (const name of await this.#names()) {
      const known = name < yesterday ? this.#known.get(name) : undefined;
      const file = known ? known.file : await unlessMissing(this.#file(name));
      if (file) files.push(file);
    }
    return files;
  }

  /** Deletes everything. */
  async clear(): Promise<void> {
    for (const name of await namesIn(this.#folder))
      await rm(join(this.#folder, name), { recursive: true, force: true });
  }

  /** Deletes what is older than 400 days. A clock that is wrong for a day or two must not delete everything. */
  async dropOld(today: string): Promise<void> {
    const names = await this.#names();
    const third = [...new Set(names.map(dayIn))].sort().at(-3) ?? "";
    if (!isDay(third)) return;
    const first = dayAfter(third < today ? third : today, -daysKept);
    for (const name of names) if (dayIn(name) < first) await rm(join(this.#folder, name), { force: true });
  }

  /** The names of the files that count. */
  async #names(): Promise<readonly string[]> {
    return (await namesIn(this.#folder)).filter((name) => name.endsWith(".json") && isDay(dayIn(name)));
  }

  /** The content of a file; `undefined` if no window has written it. */
  async #file(name: string): Promise<Additions | undefined> {
    const path = join(this.#folder, name);
    const { size, mtimeMs, ino } = await stat(path);
    if (size > largestFile) return undefined;
    const version = `${size} ${mtimeMs} ${ino}`;
    const known = this.#known.get(name);
    if (known?.version === version) return known.file;
    const file = parse(await readFile(path, "utf8"));
    this.#known.set(name, { version, file });
    return file;
  }
}

function dayIn(name: string): string {
  return name.slice(0, "YYYY-MM-DD".length);
}

/** A file's text, without counts that are zero. */
function textOf(additions: Additions): string {
  return JSON.stringify(additions, (_, value: unknown) => (value === 0 ? undefined : value));
}

/** A file's content. Rows that this version does not know are left out. */
function parse(text: string): Additions | undefined {
  const { rows, away } = asObject(parseJson(text)) ?? {};
  if (!Array.isArray(rows) || !Array.isArray(away)) return undefined;
  return {
    rows: rows.flatMap((row) => toRow(row) ?? []),
    away: away.flatMap((interval) => toInterval(interval) ?? []),
  };
}

function toRow(value: unknown): Additions["rows"][number] | undefined {
  const { day, model, feature, entry, ...rest } = asObject(value) ?? {};
  if (!isDay(day) || typeof model !== "string" || model.length > maxModelName) return undefined;
  if (!isUsageFeature(feature) || !isEntryName(entry)) return undefined;
  const counts: Partial<Record<UsageCount, number>> = {};
  for (const name of usageCounts) {
    if (rest[name] === undefined) continue;
    const count = asCount(rest[name]);
    if (count === undefined) return undefined;
    counts[name] = count;
  }
  return { day, model, feature, entry, ...counts };
}

function toInterval(value: unknown): AwayInterval | undefined {
  const { entry, from = 0, to } = asObject(value) ?? {};
  const [start, end] = [asCount(from), asCount(to)];
  if (!isEntryName(entry) || start === undefined || end === undefined || start >= end) return undefined;
  return end - start <= longestInterval ? { entry, from: start, to: end } : undefined;
}
