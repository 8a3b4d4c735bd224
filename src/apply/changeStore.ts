import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { asArray, asCount, asObject, asText, parseJson } from "../base/json.ts";
import { isUuid } from "../files/fileNames.ts";
import { namesIn, unlessMissing, retryWhileLocked } from "../files/fileErrors.ts";
import { type DiskChange, newUriOf } from "./diskChange.ts";
import { earlierRecord } from "./version110.ts";

const stages = ["stored", "applying", "applied", "accepted", "reverting", "reverted"] as const;

/**
 * How far a change has come. `stored`: nothing of it is in the files. `applying` and `reverting`: files are being written, so
 * a window that closes or crashes now leaves a mixture, from which the next one recovers (`recoverChanges`). `accepted`: it
 * was applied, and the user keeps it.
 */
export type Stage = (typeof stages)[number];

/** What the user has decided about the hunks of a file. */
export interface Decisions {
  /** The URI of the file when it was changed. */
  readonly uri: string;
  /** The keys of the hunks that are kept. */
  readonly accepted: readonly number[];
  /** The current URI of the file, if it was renamed in the editor. */
  readonly newUri?: string | undefined;
}

/** What is recorded about a change. `Content` is what the files have before and after. */
export interface ChangeRecord<Content = unknown> {
  readonly stage: Stage;
  /** When it was stored, as milliseconds since the epoch. */
  readonly at: number;
  readonly files: readonly (Omit<DiskChange, "before" | "after"> & {
    readonly before?: Content | undefined;
    readonly after?: Content | undefined;
  })[];
  /** The positions of the files of a proposal that the user skips. */
  readonly skipped: readonly number[];
  readonly decisions: readonly Decisions[];
}

export type StoredChange = ChangeRecord<Uint8Array>;

/** Whether files of a change are being written, or were when a window closed or writing failed. */
export function isUnfinished({ stage }: Pick<ChangeRecord, "stage">): boolean {
  return stage === "applying" || stage === "reverting";
}

/** Maximum number of changes that are stored for Undo. */
const maxChanges = 20;

/** On Windows, another program may have a file open for a moment. */
const removal = { recursive: true, force: true, maxRetries: 5 };

const recordName = "change.json";

/**
 * Snapshots of files before and after a change, on this machine, which only the user can read. Each change has a folder with
 * the contents of its files, named after their hashes, and a record that refers to them. The record is replaced as a whole,
 * and only once these contents are on disk, so a crash leaves either the old record or the new one.
 */
export class ChangeStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Stores a change before any file is written. Replaces one with the same id, except for its decisions about files that this
   * run skips. Deletes the oldest changes.
   */
  async store(id: string, changes: readonly DiskChange[], stage: Stage = "stored"): Promise<void> {
    const folder = join(this.#folder, id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const files = [];
    for (const change of changes) {
      files.push({
        ...change,
        before: await addContent(folder, change.before),
        after: await addContent(folder, change.after),
      });
    }
    const staying = new Set(changes.flatMap((change) => (change.stays ? newUriOf(change) : [])));
    const decisions = (await this.record(id))?.decisions.filter(({ uri }) => staying.has(uri)) ?? [];
    await this.#write(id, { stage, at: Date.now(), files, skipped: [], decisions });
    await this.#deleteOldest();
  }

  /** Records how far a change has come, which files the user skips, or what was decided about hunks. */
  async update(id: string, news: Partial<Pick<ChangeRecord, "stage" | "skipped" | "decisions">>): Promise<void> {
    const record = await this.record(id);
    if (record) await this.#write(id, { ...record, ...news });
  }

  async remove(id: string): Promise<void> {
    // The record first: a change without a record does not exist.
    await rm(join(this.#folder, id, recordName), removal);
    await rm(join(this.#folder, id), removal);
  }

  /** A change with the contents of its files; `undefined` if it is no longer in the store, or not completely. */
  async load(id: string): Promise<StoredChange | undefined> {
    const record = await this.record(id);
    if (!record) return undefined;
    const read = async (name: unknown): Promise<Uint8Array | undefined> =>
      typeof name === "string" ? await readFile(join(this.#folder, id, name)) : undefined;
    const reading = record.files.map(async (file) => ({
      ...file,
      before: await read(file.before),
      after: await read(file.after),
    }));
    const files = await unlessMissing(Promise.all(reading));
    return files && { ...record, files };
  }

  /** What is recorded about a change; `undefined` if it is not in the store. */
  async record(id: string): Promise<ChangeRecord | undefined> {
    if (!isUuid(id)) return undefined;
    const folder = join(this.#folder, id);
    const text = await unlessMissing(readFile(join(folder, recordName), "utf8"));
    return readRecord(text === undefined ? await earlierRecord(folder) : parseJson(text));
  }

  /** What is recorded about all changes, in the order in which they were stored. */
  async records(): Promise<readonly (ChangeRecord & { readonly id: string })[]> {
    const records = (await namesIn(this.#folder)).map(async (id) => {
      const record = await this.record(id);
      return record ? { id, ...record } : [];
    });
    return (await Promise.all(records)).flat().toSorted((one, other) => one.at - other.at);
  }

  /** Deletes changes without a record: their window closed before they were completely stored. */
  async deleteIncomplete(): Promise<void> {
    for (const name of await namesIn(this.#folder)) if (!(await this.record(name))) await this.remove(name);
  }

  #write(id: string, record: ChangeRecord): Promise<void> {
    return replace(join(this.#folder, id, recordName), Buffer.from(JSON.stringify(record)));
  }

  async #deleteOldest(): Promise<void> {
    const done = (await this.records()).filter((record) => !isUnfinished(record));
    for (const { id } of done.slice(0, -maxChanges)) await this.remove(id);
  }
}

function readRecord(value: unknown): ChangeRecord | undefined {
  const { stage, at, files, skipped, decisions } = asObject(value) ?? {};
  const known = stages.find((one) => one === stage);
  if (known === undefined) return undefined;
  return {
    stage: known,
    at: typeof at === "number" ? at : 0,
    files: asArray(files).map((file) => {
      const { uri, newUri, before, after, newFolder, mode, stays, isAccepted } = asObject(file) ?? {};
      return {
        ...{ uri: asText(uri) ?? "", newUri: asText(newUri), before, after, mode: asCount(mode) },
        ...{ newFolder: asText(newFolder), stays: stays === true, isAccepted: isAccepted === true },
      };
    }),
    skipped: asArray(skipped).map(Number),
    decisions: asArray(decisions).map((one) => {
      const { uri, accepted, newUri } = asObject(one) ?? {};
      return { uri: asText(uri) ?? "", accepted: asArray(accepted).map(Number), newUri: asText(newUri) };
    }),
  };
}

/** Stores content in the folder of a change, and returns the name of its file. */
async function addContent(folder: string, bytes: Uint8Array | undefined): Promise<string | undefined> {
  if (!bytes) return undefined;
  const name = createHash("sha256").update(bytes).digest("hex");
  const isThere = await unlessMissing(stat(join(folder, name)));
  if (!isThere) await replace(join(folder, name), bytes);
  return name;
}

/** Replaces a file atomically, even if two windows write it at the same time. */
async function replace(path: string, bytes: Uint8Array): Promise<void> {
  const next = `${path}.${crypto.randomUUID()}`;
  try {
    await writeFile(next, bytes, { mode: 0o600, flush: true });
    await retryWhileLocked(() => rename(next, path));
  } finally {
    await rm(next, removal);
  }
}
