import { LedgerFiles, maxModelName } from "./ledgerFiles.ts";
import { dayOf } from "./localDay.ts";
import { sumByKey, type UsageAddition, type UsageDelta, type UsageRecord } from "./usageRow.ts";

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
interface DayLog {
  /** Its file, with what is in it. */
  written?: { readonly name: string; readonly rows: readonly UsageAddition[] };
  unwritten: UsageAddition[];
}

/**
 * Counts requests, tokens, and images by day, model, feature, and entry, of all windows together. Each window writes a
 * file of its own for each day; reading sums up all files. Holds no prompts and no names of files.
 */
export class Ledger {
  readonly #options: LedgerOptions;
  readonly #files: LedgerFiles;
  readonly #days = new Map<string, DayLog>();
  #timer: NodeJS.Timeout | undefined;
  #isFailing = false;
  #isDisposed = false;

  constructor(options: LedgerOptions) {
    this.#options = options;
    this.#files = new LedgerFiles(options.folder);
  }

  /** Records an event of this moment. Touches no file. */
  add({ model, ...delta }: UsageDelta): void {
    const day = this.#today();
    const log = this.#days.get(day) ?? { unwritten: [] };
    log.unwritten.push({ day, model: model.slice(0, maxModelName), ...delta });
    this.#days.set(day, log);
    if (this.#isDisposed) this.flush();
    else this.#schedule();
    this.#options.onChange?.();
  }

  /**
   * What all windows have recorded so far, those that are closed included. With a month ("YYYY-MM"), earlier files are not
   * read. Then files of closed days are joined, which nobody waits for.
   */
  async read(month = ""): Promise<UsageRecord> {
    await this.#files.load(month, this.#today());
    // From here on nothing is flushed until all is summed up, so each request counts once.
    const unwritten = [...this.#days.values()].flatMap((log) => log.unwritten);
    const rows = sumByKey([...this.#files.rows(month, this.#today()), ...unwritten]);
    // What cannot be joined or deleted now, because another program reads it, is the next time.
    void this.#files.tidy(this.#today()).catch(() => undefined);
    return { rows };
  }

  /** Writes what was recorded. What cannot be written stays in memory, and is tried again. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const today = this.#today();
    try {
      for (const [day, log] of this.#days) {
        if (log.unwritten.length > 0) this.#write(log, day === today);
        if (day !== today) this.#days.delete(day);
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
    this.#days.clear();
    await this.#files.clear();
    this.#options.onChange?.();
  }

  /** Writes what is left. From then on, whatever running requests still add is written at once. */
  dispose(): void {
    this.#isDisposed = true;
    this.flush();
  }

  #today(): string {
    return dayOf(this.#options.now());
  }

  /** The file of a closed day may have been joined. One that is gone was cleared: what is left is new. */
  #write(log: DayLog, isOpen: boolean): void {
    const known = isOpen && log.written && this.#files.has(log.written.name) ? log.written : undefined;
    const name = known?.name ?? `${this.#today()}.${crypto.randomUUID()}.json`;
    // So that there is no more of it the longer it cannot be written.
    log.unwritten = [...sumByKey(log.unwritten)];
    const rows = sumByKey([...(known?.rows ?? []), ...log.unwritten]);
    this.#files.write(name, { rows });
    log.written = { name, rows };
    log.unwritten = [];
  }

  #schedule(): void {
    if (this.#isDisposed) return;
    this.#timer ??= setTimeout(() => {
      this.flush();
    }, this.#options.delay ?? 1_000).unref();
  }
}
