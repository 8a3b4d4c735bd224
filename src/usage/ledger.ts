import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { namesIn, unlessMissing } from "../text/fileErrors.ts";
import { asCount, asObject, parseJson } from "../text/json.ts";
import { dayAfter, dayOf, isDay } from "./localDay.ts";
import {
  type Additions,
  awayByDay,
  type AwayInterval,
  isEntryName,
  isUsageFeature,
  summed,
  sumOf,
  usageCounts,
  type UsageDelta,
  type UsageRecord,
} from "./usageRow.ts";

/** Where a ledger is kept, and who hears of it. */
export interface LedgerOptions {
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called when writing fails after it worked, or for the first time. What is not written stays in memory. */
  readonly onProblem?: (error: unknown) => void;
  /** Called when this window has recorded a request, or has deleted what was recorded. */
  readonly onChange?: () => void;
  /** Milliseconds until something recorded is written. */
  readonly delay?: number;
}

/** Maximum length of a model's name, in characters. */
const maxModelName = 200;

/** Maximum size of a file that is read, in bytes. No window writes one that large. */
const largestFile = 8 * 1024 * 1024;

const daysKept = 400;

/** Maximum plausible interval, in milliseconds: 400 days. */
const longestInterval = daysKept * 24 * 60 * 60 * 1000;

/** What this window records on a day. */
interface Page {
  /** Its file, with what is in it. */
  written?: { readonly path: string; readonly sums: Additions };
  unwritten: Additions[];
}

/**
 * Counts requests, tokens, and images by day, model, feature, and entry, of all windows together. Each window writes a
 * file of its own for each day, always replaced as a whole, so that it is never half written; reading sums up all files.
 * Only the user may read them. Holds no prompts and no names of files.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  readonly #pages = new Map<string, Page>();
  /** The content of files, as it was read last. */
  readonly #known = new Map<string, { readonly version: string; readonly file: Additions | undefined }>();
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;
  #isDisposed = false;

  constructor(options: LedgerOptions) {
    this.#options = options;
  }

  /** Records an event of this moment. Touches no file. */
  add({ model, ...delta }: UsageDelta): void {
    const row = { day: dayOf(this.#options.now()), model: model.slice(0, maxModelName), ...delta };
    this.#record({ rows: [row], away: [] });
    this.#options.onChange?.();
  }

  /** Records that an entry was away. */
  addAway(interval: AwayInterval): void {
    this.#record({ rows: [], away: [interval] });
  }

  /** What all windows have recorded so far, those that are closed included. */
  async read(): Promise<UsageRecord> {
    const files = await this.#readAll();
    const { rows, away } = summed([...files, ...[...this.#pages.values()].flatMap(({ unwritten }) => unwritten)]);
    return { rows, away: awayByDay(away) };
  }

  /** Writes what was recorded. What cannot be written stays in memory, and is tried again. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const today = dayOf(this.#options.now());
    try {
      for (const [day, page] of this.#pages) {
        if (page.unwritten.length > 0) this.#write(page);
        if (day !== today) this.#pages.delete(day);
      }
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#options.onProblem?.(error);
      this.#isFailing = true;
      this.#schedule();
    }
  }

  /** Deletes what all windows have written so far, and what this one has recorded. */
  async clear(): Promise<void> {
    this.#pages.clear();
    const { folder } = this.#options;
    for (const name of await namesIn(folder)) await rm(join(folder, name), { recursive: true, force: true });
    this.#options.onChange?.();
  }

  /** Writes what is left. From then on, whatever running requests still add is written at once. */
  dispose(): void {
    this.#isDisposed = true;
    this.flush();
  }

  #record(additions: Additions): void {
    const day = dayOf(this.#options.now());
    const page = this.#pages.get(day) ?? { unwritten: [] };
    page.unwritten.push(additions);
    this.#pages.set(day, page);
    if (this.#isDisposed) this.flush();
    else this.#schedule();
  }

  #write(page: Page): void {
    // If the file is gone, another window has cleared it: what is left is new.
    const known = page.written && existsSync(page.written.path) ? page.written : undefined;
    const { folder, now } = this.#options;
    const today = dayOf(now());
    const path = known?.path ?? join(folder, `${today}.${crypto.randomUUID()}.json`);
    // So that there is no more of it the longer it cannot be written.
    page.unwritten = [summed(page.unwritten)];
    const sums = summed([...(known ? [known.sums] : []), ...page.unwritten]);
    // Waits for nothing, because a window may be closing. A file has a few KB, and is written at most once a second.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(`${path}.tmp`, textOf(sums), { mode: 0o600 });
    renameSync(`${path}.tmp`, path);
    // What cannot be deleted now, because another program reads it, is deleted the next time.
    if (!known) void this.#dropOld(today).catch(() => undefined);
    page.written = { path, sums };
    page.unwritten = [];
  }

  #schedule(): void {
    if (this.#isDisposed) return;
    this.#timer ??= setTimeout(() => {
      this.flush();
    }, this.#options.delay ?? 1_000).unref();
  }

  /** What the files hold. One of a day before yesterday is read once, and one of today when it has changed. */
  async #readAll(): Promise<readonly Additions[]> {
    const files: Additions[] = [];
    const yesterday = dayAfter(dayOf(this.#options.now()), -1);
    for (const name of await this.#names()) {
      const known = name < yesterday ? this.#known.get(name) : undefined;
      const file = known ? known.file : await unlessMissing(this.#file(name));
      if (file) files.push(file);
    }
    return files;
  }

  /** Deletes what is older than 400 days. A clock that is wrong for a day or two must not delete everything. */
  async #dropOld(today: string): Promise<void> {
    const names = await this.#names();
    const third = [...new Set(names.map(dayIn))].sort().at(-3) ?? "";
    if (!isDay(third)) return;
    const first = dayAfter(third < today ? third : today, -daysKept);
    for (const name of names) if (dayIn(name) < first) await rm(join(this.#options.folder, name), { force: true });
  }

  /** The names of the files that count. */
  async #names(): Promise<readonly string[]> {
    return (await namesIn(this.#options.folder)).filter((name) => name.endsWith(".json") && isDay(dayIn(name)));
  }

  /** The content of a file; `undefined` if no window has written it. */
  async #file(name: string): Promise<Additions | undefined> {
    const path = join(this.#options.folder, name);
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
  const given = usageCounts.filter((name) => rest[name] !== undefined);
  if (given.some((name) => asCount(rest[name]) === undefined)) return undefined;
  const counts = sumOf([Object.fromEntries(given.map((name) => [name, asCount(rest[name])]))]);
  const cachedInputTokens = Math.min(counts.cachedInputTokens, counts.inputTokens);
  return { day, model, feature, entry, ...counts, cachedInputTokens };
}

function toInterval(value: unknown): AwayInterval | undefined {
  const { entry, from = 0, to } = asObject(value) ?? {};
  const [start, end] = [asCount(from), asCount(to)];
  if (!isEntryName(entry) || start === undefined || end === undefined || start >= end) return undefined;
  return end - start <= longestInterval ? { entry, from: start, to: end } : undefined;
}
