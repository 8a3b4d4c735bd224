import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isMissing } from "../files/fileErrors.ts";
import { asArray, asCount, asObject, asText, parseJson } from "../base/json.ts";
import { WindowLocks } from "../files/windowLocks.ts";
import { addDays, isDay } from "./localDay.ts";
import { isEntryName, isUsageFeature, sumByKey, type UsageAddition, type UsageCount, usageCounts } from "./usageRow.ts";

/** Maximum length of a model's name, in characters. */
export const maxModelName = 200;

/** Maximum size of a file, in bytes. Larger ones are neither written nor read. */
const maxFileSize = 8 * 1024 * 1024;

/** Number of days for which rows are stored. */
const retentionDays = 400;

/** Milliseconds for which files are read before other code in the extension host runs. */
const timeSlice = 8;

/** What is in a file. That of a month names the files that were joined in it, which may still exist. */
interface Stored {
  readonly rows: readonly UsageAddition[];
  readonly joined?: readonly string[];
}

/** A file's content. `isValid`: it has the form that windows write. */
type Content = Required<Stored> & { readonly isValid: boolean };

const noContent: Content = { rows: [], joined: [], isValid: false };

/**
 * The files of all windows: `<day>.<id>.json` belongs to one window, `<month>.json` holds closed days. Files are always
 * replaced as a whole, so that none is half written. Only the user may read them.
 */
export class LedgerFiles {
  readonly #folder: string;
  readonly #locks: WindowLocks;
  /** The content of files when they were last read. */
  readonly #known = new Map<string, Readonly<{ version: string; content: Content; isFinal: boolean }>>();
  #tidiedOn = "";

  constructor(folder: string) {
    this.#folder = folder;
    this.#locks = new WindowLocks(folder);
  }

  /** Replaces or creates a file. Synchronous, because a window may be closing. */
  write(name: string, content: Stored): void {
    const path = join(this.#folder, name);
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    try {
      writeFileSync(`${path}.tmp`, textOf(content), { mode: 0o600 });
      renameSync(`${path}.tmp`, path);
    } catch (error) {
      rmSync(`${path}.tmp`, { force: true });
      throw error;
    }
  }

  has(name: string): boolean {
    return existsSync(join(this.#folder, name));
  }

  /** Reads the files of a month ("YYYY-MM") and later ones in advance, so that `rows` is fast. */
  async load(month: string, today: string): Promise<void> {
    const yesterday = addDays(today, -1);
    const all = new Set(this.#names());
    for (const name of this.#known.keys()) if (!all.has(name)) this.#known.delete(name);
    let start = performance.now();
    for (const name of this.#names(month)) {
      this.#read(name, yesterday);
      if (performance.now() - start < timeSlice) continue;
      await setImmediate();
      start = performance.now();
    }
  }

  /**
   * The rows in the files of a month and later ones. Synchronous, so only other processes can change files in the meantime.
   */
  rows(month: string, today: string): readonly UsageAddition[] {
    const yesterday = addDays(today, -1);
    const days = this.#names(month).filter(isOfDay);
    const ofDays = days.map((name) => [name, this.#read(name, yesterday)] as const);
    // After those of days, because these are deleted once they are joined.
    const ofMonths = this.#names(month)
      .filter(isOfMonth)
      .map((name) => this.#read(name, yesterday));
    const joined = new Set(ofMonths.flatMap(({ joined }) => joined));
    const open = ofDays.flatMap(([name, content]) => (joined.has(name) ? [] : content.rows));
    return [...ofMonths.flatMap(({ rows }) => rows), ...open];
  }

  /**
   * Once a day, joins the files of past days, and deletes leftovers and what is older than 400 days. Only one window does
   * this at a time. Files of today and yesterday are not joined, because windows may still write to them.
   */
  async tidy(today: string): Promise<void> {
    if (this.#tidiedOn === today) return;
    this.#tidiedOn = today;
    const yesterday = addDays(today, -1);
    const pending = (): readonly string[] =>
      this.#allNames().filter((name) => isClosed(name, yesterday) || isLeftover(name, today));
    if (pending().length === 0 || !(await this.#locks.acquire("tidying"))) return;
    try {
      await this.load("", today);
      const first = firstRetainedDay(this.rows("", today), today);
      const names = pending();
      const months = Map.groupBy(
        names.filter((name) => isClosed(name, yesterday)),
        monthIn,
      );
      // The file of the first retained month may hold days before `first`.
      months.set(monthIn(first), months.get(monthIn(first)) ?? []);
      const gone = names.filter((name) => isLeftover(name, today));
      for (const [month, files] of months) {
        gone.push(...this.#join(month, files, { first, yesterday }));
        await setImmediate();
      }
      gone.push(...this.#names().filter((name) => name < (isOfMonth(name) ? monthIn(first) : first)));
      for (const name of gone) await rm(join(this.#folder, name), { force: true });
    } finally {
      await this.#locks.release("tidying");
    }
  }

  /** Deletes all files, including those that other windows write in the meantime. */
  async clear(): Promise<void> {
    for (let names = this.#allNames(); names.length > 0; names = this.#allNames())
      for (const name of names) await rm(join(this.#folder, name), { recursive: true, force: true });
  }

  /** Joins files into that of their month, without days before `first`. Returns the names of those that can be deleted. */
  #join(
    month: string,
    names: readonly string[],
    { first, yesterday }: Readonly<Record<"first" | "yesterday", string>>,
  ): readonly string[] {
    const path = `${month}.json`;
    const before = this.#read(path, yesterday);
    const known = new Set(before.joined);
    const [old, files] = [names.filter((name) => known.has(name)), names.filter((name) => !known.has(name))];
    const added = files.map((name) => ({ name, ...this.#read(name, yesterday) })).filter(({ isValid }) => isValid);
    const rows = [before, ...added].flatMap(({ rows }) => rows).filter(({ day }) => day >= first);
    if (added.length === 0 && rows.length === before.rows.length) return old;
    const content = { rows: sumByKey(rows), joined: [...before.joined, ...added.map(({ name }) => name)] };
    // If one is gone, all files were cleared in the meantime.
    const isCleared = !added.every(({ name }) => this.has(name));
    const text = textOf(content);
    // If the result could not be read again, nothing is joined.
    if (isCleared || Buffer.byteLength(text) > maxFileSize || !parse(text).isValid) return old;
    this.write(path, content);
    return [...old, ...added.map(({ name }) => name)];
  }

  /** The content of a file; `noContent` if it is invalid or gone. */
  #read(name: string, yesterday: string): Content {
    const known = this.#known.get(name);
    if (known?.isFinal) return known.content;
    const path = join(this.#folder, name);
    try {
      const { size, mtimeMs, ino } = statSync(path);
      const version = `${size} ${mtimeMs} ${ino}`;
      const isKnown = known?.version === version;
      const content = isKnown ? known.content : size > maxFileSize ? noContent : parse(readFileSync(path, "utf8"));
      this.#known.set(name, { version, content, isFinal: isClosed(name, yesterday) });
      return content;
    } catch (error) {
      if (isMissing(error)) return noContent;
      throw error;
    }
  }

  /** The names of the files of days and months, from a month on. */
  #names(month = ""): readonly string[] {
    return this.#allNames().filter((name) => name >= month && (isOfDay(name) || isOfMonth(name)));
  }

  #allNames(): readonly string[] {
    try {
      return readdirSync(this.#folder);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }
}

function monthIn(name: string): string {
  return name.slice(0, "YYYY-MM".length);
}

/** The first day whose rows are stored. A clock that is wrong for a day or two must not delete everything. */
function firstRetainedDay(rows: readonly UsageAddition[], today: string): string {
  const third = [...new Set(rows.map(({ day }) => day))].sort().at(-3) ?? today;
  return addDays(third < today ? third : today, -retentionDays);
}

function isOfDay(name: string): boolean {
  return /^\d{4}-\d\d-\d\d\..+\.json$/.test(name);
}

function isOfMonth(name: string): boolean {
  return /^\d{4}-\d\d\.json$/.test(name);
}

/** Whether no window writes to a file any more. The file of yesterday may still be replaced around midnight. */
function isClosed(name: string, yesterday: string): boolean {
  return isOfDay(name) && name < yesterday;
}

/** Whether a file is a leftover: half written, or a marker for a budget notification of an earlier period. */
function isLeftover(name: string, today: string): boolean {
  const budgetPeriod = /^told-(?:day|month)-(\d{4}-\d\d(?:-\d\d)?)-/.exec(name)?.[1];
  if (budgetPeriod !== undefined) return !today.startsWith(budgetPeriod);
  const written = name.endsWith(".tmp") ? name.slice(0, -".tmp".length) : "";
  return isClosed(written, addDays(today, -1)) || isOfMonth(written);
}

/** A file's text, without counts that are zero. */
function textOf(content: Stored): string {
  return JSON.stringify(content, (_, value: unknown) => (value === 0 ? undefined : value));
}

/** Parses a file. Omits rows that this version does not know. */
function parse(text: string): Content {
  const { rows, joined } = asObject(parseJson(text)) ?? {};
  return {
    isValid: Array.isArray(rows),
    rows: asArray(rows).flatMap((row) => toRow(row) ?? []),
    joined: asArray(joined).flatMap((name) => asText(name) ?? []),
  };
}

function toRow(value: unknown): UsageAddition | undefined {
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
  const cachedInputTokens = Math.min(counts.cachedInputTokens ?? 0, counts.inputTokens ?? 0);
  return { day, model, feature, entry, ...counts, cachedInputTokens };
}
