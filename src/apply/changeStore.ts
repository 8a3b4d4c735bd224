import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { asArray, asCount, asObject, asText, parseJson } from "../text/json.ts";
import { isUuid } from "../text/fileNames.ts";
import { namesIn, unlessMissing, whileLocked } from "../text/fileErrors.ts";
import type { FileChange } from "./fileChange.ts";

/**
 * How far a change has come. `kept`: nothing of it is in the files. `applying` and `reverting`: files are being written, so
 * a window that closes now leaves a mixture, which the next one mends. `accepted`: it was applied, and the user keeps it.
 */
export type Stage = "kept" | "applying" | "applied" | "accepted" | "reverting" | "reverted";

export interface StoredChange {
  readonly id: string;
  readonly stage: Stage;
  readonly files: readonly FileChange[];
}

const stages: readonly Stage[] = ["kept", "applying", "applied", "accepted", "reverting", "reverted"];

/** On Windows, another program may have a file open for a moment. */
const removal = { recursive: true, force: true, maxRetries: 5 };

/** How many changes are kept for Undo. */
const mostChanges = 20;

/**
 * Snapshots of files before and after a change, on this machine, which only the user can read. A change is in the store as
 * a whole or not at all: its folder gets its name once everything in it is on the disk.
 */
export class ChangeStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Stores a change before anything is written, in place of one with the same id. Deletes the oldest changes. */
  async keep(id: string, files: readonly FileChange[]): Promise<void> {
    const folder = join(this.#folder, `${id}.new`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const listed = files.map(({ uri, before, after, renamedFrom, newFolder, mode }, index) => ({
      uri,
      renamedFrom,
      newFolder,
      mode,
      before: before && `${index}.before`,
      after: after && `${index}.after`,
    }));
    for (const [index, { before, after }] of files.entries()) {
      if (before) await writeSynced(join(folder, `${index}.before`), before);
      if (after) await writeSynced(join(folder, `${index}.after`), after);
    }
    await writeSynced(join(folder, "files.json"), Buffer.from(JSON.stringify(listed)));
    await writeSynced(join(folder, "stage"), Buffer.from("kept"));
    await rm(join(this.#folder, id), removal);
    await whileLocked(() => rename(folder, join(this.#folder, id)));
    await this.#deleteOldest();
  }

  /** Records how far a change has come. */
  setStage(id: string, stage: Stage): Promise<void> {
    return replace(join(this.#folder, id, "stage"), stage);
  }

  /** Notes, by position, which files of a proposal the user skips, or which of an applied change Undo left alone. */
  setLeftOut(id: string, positions: Iterable<number>): Promise<void> {
    return replace(join(this.#folder, id, "leftOut"), JSON.stringify([...positions]));
  }

  /** A change; `undefined` if it is not in the store any more. */
  async load(id: string): Promise<StoredChange | undefined> {
    const stage = await this.stageOf(id);
    if (stage === undefined) return undefined;
    const folder = join(this.#folder, id);
    const read = async (name: unknown): Promise<Uint8Array | undefined> =>
      typeof name === "string" ? await readFile(join(folder, name)) : undefined;
    const listed = asArray(parseJson(await readFile(join(folder, "files.json"), "utf8")));
    const files = await Promise.all(
      listed.map(async (value): Promise<FileChange> => {
        const { uri, before, after, renamedFrom, newFolder, mode } = asObject(value) ?? {};
        return {
          uri: asText(uri) ?? "",
          before: await read(before),
          after: await read(after),
          renamedFrom: asText(renamedFrom),
          newFolder: asText(newFolder),
          mode: asCount(mode),
        };
      }),
    );
    return { id, stage, files };
  }

  /** How far a change has come; `undefined` if it is not in the store. */
  async stageOf(id: string): Promise<Stage | undefined> {
    const text = await this.#read(id, "stage");
    return stages.find((stage) => stage === text);
  }

  /** The positions of the files of a change that are left out. */
  async leftOutOf(id: string): Promise<ReadonlySet<number>> {
    return new Set(asArray(parseJson((await this.#read(id, "leftOut")) ?? "")).map(Number));
  }

  /** The changes, the oldest first. */
  async ids(): Promise<readonly string[]> {
    const names = (await namesIn(this.#folder)).filter(isUuid);
    const times = await Promise.all(
      names.map(async (id) => ({ id, at: (await stat(join(this.#folder, id))).mtimeMs })),
    );
    return times.toSorted((one, other) => one.at - other.at).map(({ id }) => id);
  }

  /** Deletes what a window that closed did not store to the end. Nothing of it was applied. */
  async deleteUnfinished(): Promise<void> {
    for (const name of await namesIn(this.#folder)) {
      if (name.endsWith(".new")) await rm(join(this.#folder, name), removal);
    }
  }

  /** What is noted about a change; `undefined` if nothing is, or it is not in the store. */
  async #read(id: string, name: string): Promise<string | undefined> {
    return isUuid(id) ? await unlessMissing(readFile(join(this.#folder, id, name), "utf8")) : undefined;
  }

  async #deleteOldest(): Promise<void> {
    const done = [];
    for (const id of await this.ids()) {
      const stage = await this.stageOf(id);
      if (stage !== "applying" && stage !== "reverting") done.push(id);
    }
    for (const id of done.slice(0, Math.max(0, done.length - mostChanges))) {
      await rm(join(this.#folder, id), removal);
    }
  }
}

/** Replaces a file, which is never half written. */
async function replace(path: string, text: string): Promise<void> {
  await writeSynced(`${path}.new`, Buffer.from(text));
  await whileLocked(() => rename(`${path}.new`, path));
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "w", 0o600);
  try {
    await file.writeFile(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}
