import { awayByDay } from "./awayTimes.ts";
import { maxModelName } from "./batchLine.ts";
import { foldUsage } from "./foldUsage.ts";
import { startGeneration } from "./generations.ts";
import { Journal, type JournalOptions } from "./journal.ts";
import { dayOf } from "./localDay.ts";
import { type StoredFile, StoredUsage } from "./storedUsage.ts";
import { Tally } from "./tally.ts";
import type { AwayInterval, UsageDelta, UsageRecord } from "./usageRow.ts";

/** Where a ledger is kept, and who hears of it. */
export interface LedgerOptions extends JournalOptions {
  /** Called when writing fails after it worked, or for the first time. What is not written stays in memory. */
  readonly onProblem?: (error: unknown) => void;
  /** Called when what was recorded has been deleted by this window. */
  readonly onClear?: () => void;
  /** Milliseconds until something recorded is written. */
  readonly delay?: number;
}

/** Milliseconds from the first write until old files are summed up, and until that is done again. */
const firstFold = 60_000;
const nextFold = 24 * 60 * 60 * 1000;

/** Maximum wait until a failed write is tried again, in milliseconds. */
const longestDelay = 60_000;

/**
 * Counts requests, tokens, and images by day, model, feature, and entry, of all windows together. Each window appends to
 * a file of its own; reading sums up all files. Holds no prompts and no names of files.
 */
export class Ledger {
  readonly #now: () => number;
  readonly #folder: string;
  readonly #journal: Journal;
  readonly #stored: StoredUsage;
  readonly #onProblem: (error: unknown) => void;
  readonly #onClear: () => void;
  readonly #usualDelay: number;
  #delay: number;
  /** What was read last, which counts until one of the files changes. */
  #known: { readonly files: readonly StoredFile[]; readonly record: UsageRecord } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;
  #isDisposed = false;
  #foldTimer: NodeJS.Timeout | undefined;

  constructor({ onProblem = () => undefined, onClear = () => undefined, delay = 1_000, ...options }: LedgerOptions) {
    this.#now = options.now;
    this.#folder = options.folder;
    this.#journal = new Journal(options);
    this.#stored = new StoredUsage(options.folder);
    this.#onProblem = onProblem;
    this.#onClear = onClear;
    this.#usualDelay = delay;
    this.#delay = delay;
  }

  /** Records an event of this moment. Touches no file. */
  add({ model, ...delta }: UsageDelta): void {
    const row = { day: dayOf(this.#now()), model: model.slice(0, maxModelName), ...delta };
    this.#record({ rows: [row], away: [] });
  }

  /** Records that an entry was away. */
  addAway(interval: AwayInterval): void {
    this.#record({ rows: [], away: [interval] });
  }

  /** What all windows have recorded so far, those that are closed included. */
  read(): Promise<UsageRecord> {
    return this.#journal.alone(async () => {
      const files = await this.#stored.files();
      const unwritten = this.#journal.unwritten();
      const known = unwritten.length === 0 ? this.#known : undefined;
      if (known?.files.length === files.length && files.every((file, index) => file === known.files[index])) {
        return known.record;
      }
      // A batch that is in two files, or in a file and not surely written, counts once.
      const batches = new Map(
        [...files.flatMap((file) => file.batches), ...unwritten].map((batch) => [batch.id, batch]),
      );
      const tally = new Tally();
      for (const batch of batches.values()) tally.add(batch);
      const record = { rows: tally.rows(), away: awayByDay(tally.away()) };
      if (unwritten.length === 0) this.#known = { files, record };
      return record;
    });
  }

  /** Writes what was recorded. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      await this.#journal.flush();
      this.#delay = this.#usualDelay;
      this.#isFailing = false;
      this.#foldTimer ??= this.#foldAfter(firstFold);
    } catch (error) {
      this.#delay = Math.min(longestDelay, this.#delay * 2);
      if (!this.#isFailing) this.#onProblem(error);
      this.#isFailing = true;
    }
    if (this.#journal.isDirty) this.#schedule();
  }

  /** Deletes what all windows have recorded so far. What they record from now on counts. */
  async clear(): Promise<void> {
    await this.flush();
    await startGeneration(this.#folder, this.#now());
    await this.flush();
    this.#onClear();
  }

  /** Writes what is left. From then on, whatever running requests still add is written at once. */
  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#foldTimer);
    this.#writeNow();
  }

  /** Sums up old files in the background. If that fails, nothing is lost, and it is tried again. */
  #foldAfter(delay: number): NodeJS.Timeout {
    const fold = async (): Promise<void> => {
      await foldUsage({ folder: this.#folder, now: this.#now }).catch(() => undefined);
      if (!this.#isDisposed) this.#foldTimer = this.#foldAfter(nextFold);
    };
    return setTimeout(() => void fold(), delay).unref();
  }

  #record(additions: Parameters<Journal["add"]>[0]): void {
    this.#journal.add(additions);
    if (this.#isDisposed) this.#writeNow();
    else this.#schedule();
  }

  #writeNow(): void {
    try {
      this.#journal.flushNow();
    } catch (error) {
      if (!this.#isFailing) this.#onProblem(error);
      this.#isFailing = true;
    }
  }

  #schedule(): void {
    if (this.#isDisposed) return;
    this.#timer ??= setTimeout(() => void this.flush(), this.#delay).unref();
  }
}
