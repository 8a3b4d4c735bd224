import { dayOf } from "./localDay.ts";
import { maxModelName, UsageFiles } from "./usageFiles.ts";
import { type Additions, awayByDay, type AwayInterval, summed, type UsageDelta, type UsageRecord } from "./usageRow.ts";

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
  readonly written?: { readonly path: string; readonly sums: Additions };
  readonly unwritten?: Additions;
}

/**
 * Counts requests, tokens, and images by day, model, feature, and entry, of all windows together. Each window writes a
 * file of its own for each day; reading sums up all files. Holds no prompts and no names of files.
 */
export class Ledger {
  readonly #files: UsageFiles;
  readonly #options: LedgerOptions;
  readonly #pages = new Map<string, Page>();
  #timer: NodeJS.Timeout | undefined;
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
    const files = await this.#files.read(dayOf(this.#options.now()));
    const { rows, away } = summed([...files, ...[...this.#pages.values()].flatMap(({ unwritten = [] }) => unwritten)]);
    return { rows, away: awayByDay(away) };
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
  }

  #record(additions: Additions): void {
    const day = dayOf(this.#options.now());
    const { unwritten, ...page } = this.#pages.get(day) ?? {};
    this.#pages.set(day, { ...page, unwritten: unwritten ? summed([unwritten, additions]) : additions });
    if (this.#isDisposed) this.flush();
    else this.#schedule();
  }

  #write({ written }: Page, unwritten: Additions): Page {
    // If the file is gone, another window has cleared it: what is left is new.
    const known = written && this.#files.has(written.path) ? written : undefined;
    const today = dayOf(this.#options.now());
    const path = known?.path ?? this.#files.newPath(today);
    const sums = summed(known ? [known.sums, unwritten] : [unwritten]);
    this.#files.write(path, sums);
    // What cannot be deleted now, because another program reads it, is deleted the next time.
    if (!known) void this.#files.dropOld(today).catch(() => undefined);
    return { written: { path, sums } };
  }

  #schedule(): void {
    if (this.#isDisposed) return;
    this.#timer ??= setTimeout(() => {
      this.flush();
    }, this.#options.delay ?? 1_000).unref();
  }
}
