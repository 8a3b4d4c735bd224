import { dayOf } from "./localDay.ts";
import { type Additions, awayByDay, Tally } from "./tally.ts";
import { maxModelName, UsageFiles } from "./usageFiles.ts";
import type { AwayInterval, UsageDelta, UsageRecord } from "./usageRow.ts";

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

/** What this window records on a day. */
interface Page {
  /** Its file, with what is in it. */
  readonly written?: { readonly path: string; readonly sums: Tally };
  readonly unwritten?: Tally;
}

/** Milliseconds from the first write until old files are summed up, and until that is done again. */
const firstSum = 60_000;
const nextSum = 24 * 60 * 60 * 1000;

/**
 * Counts requests, tokens, and images by day, model, feature, and entry, of all windows together. Each window writes a
 * file of its own for each day; reading sums up all files. Holds no prompts and no names of files.
 */
export class Ledger {
  readonly #files: UsageFiles;
  readonly #options: LedgerOptions;
  readonly #pages = new Map<string, Page>();
  #timer: NodeJS.Timeout | undefined;
  #sumTimer: NodeJS.Timeout | undefined;
  #isFailing = false;
  #isDisposed = false;

  constructor(options: LedgerOptions) {
    this.#files = new UsageFiles(options.folder);
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
    const tally = new Tally();
    for (const file of (await this.#files.read()).values()) tally.add(file);
    for (const { unwritten } of this.#pages.values()) if (unwritten) tally.add(unwritten);
    return { rows: tally.rows, away: awayByDay(tally.away) };
  }

  /** Writes what was recorded. What cannot be written stays in memory, and is tried again. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const today = dayOf(this.#options.now());
    try {
      for (const [day, page] of this.#pages) {
        if (page.unwritten) this.#pages.set(day, this.#write(page, page.unwritten));
        if (day !== today) this.#pages.delete(day);
      }
      this.#isFailing = false;
      this.#sumTimer ??= this.#sumUpAfter(firstSum);
    } catch (error) {
      if (!this.#isFailing) this.#options.onProblem?.(error);
      this.#isFailing = true;
      this.#schedule();
    }
  }

  /** Deletes what all windows have written so far, and what this one has recorded. */
  async clear(): Promise<void> {
    this.#pages.clear();
    await this.#files.clear();
    this.#options.onChange?.();
  }

  /** Writes what is left. From then on, whatever running requests still add is written at once. */
  dispose(): void {
    this.#isDisposed = true;
    this.flush();
    clearTimeout(this.#sumTimer);
  }

  #record(additions: Additions): void {
    const day = dayOf(this.#options.now());
    const { unwritten = new Tally(), ...page } = this.#pages.get(day) ?? {};
    unwritten.add(additions);
    this.#pages.set(day, { ...page, unwritten });
    if (this.#isDisposed) this.flush();
    else this.#schedule();
  }

  #write({ written }: Page, unwritten: Tally): Page {
    // If the file is gone, another window has cleared it or summed it up: what is left is new.
    const known = written && this.#files.has(written.path) ? written : undefined;
    const path = known?.path ?? this.#files.newPath(dayOf(this.#options.now()));
    const sums = new Tally();
    if (known) sums.add(known.sums);
    sums.add(unwritten);
    this.#files.write(path, sums);
    return { written: { path, sums } };
  }

  /** Sums up old files in the background. If that fails, nothing is lost, and it is tried again. */
  #sumUpAfter(delay: number): NodeJS.Timeout {
    const sumUp = async (): Promise<void> => {
      await this.#files.sumUp(this.#options.now()).catch(() => undefined);
      if (!this.#isDisposed) this.#sumTimer = this.#sumUpAfter(nextSum);
    };
    return setTimeout(() => void sumUp(), delay).unref();
  }

  #schedule(): void {
    if (this.#isDisposed) return;
    this.#timer ??= setTimeout(() => {
      this.flush();
    }, this.#options.delay ?? 1_000).unref();
  }
}
