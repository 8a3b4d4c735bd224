import { LedgerFiles, maxModelName } from "./ledgerFiles.ts";
import { dayOf } from "./localDay.ts";
import { sumByKey, type UsageAddition, type UsageDelta, type UsageRow } from "./usageRow.ts";

/** Where a ledger is stored, and who is notified. */
export interface LedgerOptions {
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Called when writing begins to fail. What is not written stays in memory. */
  readonly onProblem?: (error: unknown) => void;
  /** Called when this window has recorded something, or has deleted everything. */
  readonly onChange?: () => void;
  /** Milliseconds until something recorded is written. */
  readonly delay?: number;
}

/** What this window has recorded on a day. */
interface DayLog {
  /** Its file and the rows in it. */
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

  /** Records an event, now. Touches no file. */
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
   * What all windows have recorded so far, including closed ones, sorted by day. With a month ("YYYY-MM"), earlier files are not read.
   * Afterwards, files of closed days are joined in the background.
   */
  async read(month = ""): Promise<readonly UsageRow[]> {
    await this.#files.load(month, this.#today());
    // No `await` between these steps: nothing is flushed meanwhile, so each request counts once.
    const unwritten = [...this.#days.values()].flatMap((log) => log.unwritten);
    const rows = sumByKey([...this.#files.rows(month, this.#today()), ...unwritten]);
    // What cannot be joined or deleted now, because another program has it open, is tried again next time.
    void this.#files.tidy(this.#today()).catch(() => undefined);
    return rows;
  }

  /** Writes what was recorded. What cannot be written stays in memory and is tried again. */
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

  /** Deletes what all windows have written, and what this one has recorded. */
  async clear(): Promise<void> {
    this.#days.clear();
    await this.#files.clear();
    this.#options.onChange?.();
  }

  /** Writes the rest. From then on, what running requests still add is written at once. */
  dispose(): void {
    this.#isDisposed = true;
    this.flush();
  }

  #today(): string {
    return dayOf(this.#options.now());
  }

  /** Never adds to the file of a closed day, which may have been joined, or to a deleted one, which was cleared. */
  #write(log: DayLog, isOpen: boolean): void {
    const known = isOpen && log.written && this.#files.has(log.written.name) ? log.written : undefined;
    const name = known?.name ?? `${this.#today()}.${crypto.randomUUID()}.json`;
    // Keeps this short while it cannot be written.
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
