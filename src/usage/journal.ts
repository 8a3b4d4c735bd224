import { join } from "node:path";
import { isMissing } from "../text/missingFiles.ts";
import { OneAtATime } from "../text/oneAtATime.ts";
import { type Appender, diskAppender } from "./appendLine.ts";
import { type Batch, batchLine } from "./batchLine.ts";
import { currentGeneration, currentGenerationNow, type Generation } from "./generations.ts";
import { type Additions, Tally } from "./tally.ts";

/** Where and how a journal is kept. */
export interface JournalOptions {
  /** The folder with the generations. */
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly appender?: Appender;
  /** Number of characters after which another file is begun. */
  readonly longestFile?: number;
}

/** Something recorded, and when. */
interface Pending extends Additions {
  readonly at: number;
}

/** What one window records: a file of its own, to which lines are appended, so that windows never wait for each other. */
export class Journal {
  readonly #folder: string;
  readonly #now: () => number;
  readonly #appender: Appender;
  readonly #id = crypto.randomUUID();
  #batches = 0;
  #pending: Pending[] = [];
  /** The batch being written. After a failure it may be in the file nevertheless, so it keeps its id and its rows. */
  #writing: (Batch & Pending) | undefined;
  #generation: Generation | undefined;
  #file: string | undefined;
  /** Characters in the file. */
  #length = 0;
  readonly #longestFile: number;
  readonly #turns = new OneAtATime();

  constructor({ folder, now, appender = diskAppender, longestFile = 1_000_000 }: JournalOptions) {
    this.#folder = folder;
    this.#now = now;
    this.#appender = appender;
    this.#longestFile = longestFile;
  }

  get isDirty(): boolean {
    return this.#pending.length > 0 || this.#writing !== undefined;
  }

  /** Records something in memory, until the next `flush`. */
  add(additions: Additions): void {
    this.#pending.push({ at: this.#now(), ...additions });
    if (this.#pending.length > mostPending) this.#pending = [this.#merged(this.#pending)];
  }

  /** Writes what is in memory. Rejects if that fails; then it stays there. */
  flush(): Promise<void> {
    return this.alone(async () => {
      await this.#noticeClear();
      while (this.#startBatch()) await this.#write();
    });
  }

  /** Runs work while nothing is written. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run(work);
  }

  /** What is not, or may not be, in the file yet. */
  unwritten(): readonly Batch[] {
    const pending = this.#pending.length > 0 ? [{ id: "", ...this.#merged(this.#pending) }] : [];
    return this.#writing ? [this.#writing, ...pending] : pending;
  }

  async #noticeClear(): Promise<void> {
    this.#forgetBefore(await currentGeneration(this.#folder));
  }

  /** Forgets what was recorded before a Clear, also in another window. */
  #forgetBefore(generation: Generation): void {
    if (generation.name === this.#generation?.name) return;
    // A time to come is of a clock that was set back since, and says nothing.
    const isOld = ({ at }: Pending): boolean => at < generation.since && generation.since <= this.#now();
    this.#pending = this.#pending.filter((pending) => !isOld(pending));
    if (this.#writing && isOld(this.#writing)) this.#writing = undefined;
    this.#generation = generation;
    this.#file = undefined;
  }

  /** Whether there is a batch to write. */
  #startBatch(): boolean {
    if (this.#writing === undefined && this.#pending.length > 0) {
      this.#batches += 1;
      this.#writing = { id: `${this.#id}-${this.#batches}`, ...this.#merged(this.#pending) };
      this.#pending = [];
    }
    return this.#writing !== undefined;
  }

  async #write(): Promise<void> {
    if (this.#writing === undefined) return;
    const text = textOf(this.#writing);
    const isNew = this.#file === undefined;
    this.#file ??= this.#newFile();
    try {
      await this.#appender.append(this.#file, text, isNew);
      this.#writing = undefined;
      this.#length += text.length;
      // Readers read a file again as a whole, whenever it grows.
      if (this.#length > this.#longestFile) this.#file = undefined;
    } catch (error) {
      if (isNew || !isMissing(error)) throw error;
      // The file was folded, or there was a Clear.
      this.#file = undefined;
      await this.#noticeClear();
    }
  }

  /** Writes what is in memory at once, because the window closes. What is being written gets there twice, counted once. */
  flushNow(): void {
    this.#forgetBefore(currentGenerationNow(this.#folder));
    while (this.#startBatch()) this.#writeNow();
  }

  #writeNow(): void {
    if (this.#writing === undefined) return;
    const text = textOf(this.#writing);
    const known = this.#file;
    this.#file ??= this.#newFile();
    try {
      this.#appender.appendNow(this.#file, text, known === undefined);
    } catch (error) {
      if (known === undefined || !isMissing(error)) throw error;
      this.#file = this.#newFile();
      this.#appender.appendNow(this.#file, text, true);
    }
    this.#writing = undefined;
  }

  #newFile(): string {
    this.#length = 0;
    return join(this.#folder, this.#generation?.name ?? "0-0", `journal-${crypto.randomUUID()}`);
  }

  #merged(pending: readonly Pending[]): Pending {
    const tally = new Tally();
    for (const one of pending) tally.add(one);
    return { at: pending.at(-1)?.at ?? this.#now(), rows: tally.rows(), away: tally.away() };
  }
}

/** Maximum number of events in memory that are not summed up. */
const mostPending = 2_000;

/** A line in its own right, also after one that was written only in part. */
function textOf(batch: Batch): string {
  return `\n${batchLine(batch)}`;
}
