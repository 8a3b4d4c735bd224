import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { asCount, asObject } from "../text/json.ts";
import { isMissing, namesIn } from "../text/fileErrors.ts";
import { dayAfter, dayOf, isDay, startOf } from "./localDay.ts";
import { type Additions, type PartialRow, Tally } from "./tally.ts";
import { type AwayInterval, isEntryName, isUsageFeature, type UsageCount, usageCounts } from "./usageRow.ts";

/** Maximum length of a model's name, in characters. */
export const maxModelName = 200;

/** A file, as far as it is readable. */
interface UsageFile extends Additions {
  /** Names of the files that this one has summed up. They may still be there after a crash, and don't count. */
  readonly contains: readonly string[];
}

/** The file with the sums of old days. */
const summed = "sums.json";

/** Maximum size of a file that is read, in bytes. No window writes one that large. */
const largestFile = 8 * 1024 * 1024;

/** How often files are read again that other windows sum up or delete meanwhile. */
const mostTries = 5;

/** How long a file of an earlier day must not have changed before it is summed up, in milliseconds. A lock that old is left over. */
const idle = 10 * 60_000;

/** Days that are kept. */
const daysKept = 400;

/** Maximum plausible interval, in milliseconds: 400 days. */
const longestInterval = daysKept * 24 * 60 * 60 * 1000;

/**
 * The files of a ledger: one for each window and day, always replaced as a whole, so that it is never half written, and
 * one with the sums of old days. Only the user may read them.
 */
export class UsageFiles {
  readonly #folder: string;
  readonly #known = new Map<string, { readonly version: string; readonly file: UsageFile | undefined }>();

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
    writeFileSync(`${path}.tmp`, textOf({ rows, away, contains: [] }), { mode: 0o600 });
    renameSync(`${path}.tmp`, path);
  }

  /** Whether a file is still there. */
  has(path: string): boolean {
    return existsSync(path);
  }

  /** All files that count, by name. One that has not changed since it was read before is the same object. */
  async read(): Promise<ReadonlyMap<string, UsageFile>> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#readAll(await this.#names());
      } catch (error) {
        if (tries === mostTries || !isMissing(error)) throw error;
      }
    }
  }

  /** Deletes everything. */
  async clear(): Promise<void> {
    for (const name of await namesIn(this.#folder))
      await rm(join(this.#folder, name), { recursive: true, force: true });
  }

  /**
   * Sums up the files of earlier days, in one window at a time, and drops what is older than 400 days. A crash at any
   * point loses nothing and counts nothing twice, because the sums name the files that they have.
   */
  async sumUp(now: number): Promise<void> {
    const isOld = (name: string): boolean => /^\d{4}-\d\d-\d\d\./.test(name) && name.slice(0, 10) < dayOf(now);
    if (!(await this.#names()).some(isOld)) return;
    const temporary = join(this.#folder, `${summed}.tmp`);
    const left = await stat(temporary).catch(() => undefined);
    if (left && now - left.mtimeMs > idle) await rm(temporary, { force: true });
    const lock = await open(temporary, "wx", 0o600);
    const contained: string[] = [];
    try {
      const names = await this.#names();
      const files = await this.#readAll(names);
      const sums = files.get(summed);
      if (!sums && names.includes(summed)) throw new Error("The sums cannot be read.");
      const tally = new Tally();
      if (sums) tally.add(sums);
      for (const name of names.filter(isOld)) {
        if (now - (await stat(join(this.#folder, name))).mtimeMs < idle) continue;
        const file = files.get(name);
        if (file) tally.add(file);
        if (file ?? sums?.contains.includes(name)) contained.push(name);
      }
      const first = firstDayKept(tally, dayOf(now));
      const rows = tally.rows.filter(({ day }) => day >= first);
      const away = tally.away.filter(({ to }) => to >= startOf(first));
      await lock.writeFile(textOf({ rows, away, contains: contained }));
      await lock.datasync();
      await (contained.length > 0 ? rename(temporary, join(this.#folder, summed)) : rm(temporary));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    } finally {
      await lock.close();
    }
    // What cannot be deleted now, because another program reads it, is deleted the next time.
    for (const name of contained) await rm(join(this.#folder, name), { force: true }).catch(() => undefined);
  }

  /** The names of the files that count, the sums first. */
  async #names(): Promise<readonly string[]> {
    const names = (await namesIn(this.#folder)).filter((name) => name.endsWith(".json"));
    return names.sort((one, other) => Number(other === summed) - Number(one === summed));
  }

  async #readAll(names: readonly string[]): Promise<ReadonlyMap<string, UsageFile>> {
    const files = new Map<string, UsageFile>();
    const contained = new Set<string>();
    for (const name of names) {
      if (contained.has(name)) continue;
      const file = await this.#file(name);
      if (file) files.set(name, file);
      for (const each of file?.contains ?? []) contained.add(each);
    }
    return files;
  }

  /** The content of a file; `undefined` if no window has written it. */
  async #file(name: string): Promise<UsageFile | undefined> {
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

/** The first day that is kept. A clock that is wrong for a day or two must not delete everything. */
function firstDayKept(tally: Tally, today: string): string {
  const third = [...new Set(tally.rows.map(({ day }) => day))].at(-3);
  return third === undefined ? "0000-01-01" : dayAfter(third < today ? third : today, -daysKept);
}

/** A file's text, without counts that are zero. */
function textOf({ rows, away, contains }: UsageFile): string {
  return JSON.stringify({ rows, away, contains }, (_, value: unknown) => (value === 0 ? undefined : value));
}

/** A file's content. Rows that this version does not know are left out. */
function parse(text: string): UsageFile | undefined {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { rows, away, contains } = asObject(content) ?? {};
  if (!Array.isArray(rows) || !Array.isArray(away) || !Array.isArray(contains)) return undefined;
  return {
    rows: rows.flatMap((row) => toRow(row) ?? []),
    away: away.flatMap((interval) => toInterval(interval) ?? []),
    contains: contains.filter((name) => typeof name === "string"),
  };
}

function toRow(value: unknown): PartialRow | undefined {
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
