import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { asArray, asCount, asObject, asText, parseJson } from "../base/json.ts";
import { isUuid } from "../text/fileNames.ts";
import { namesIn, unlessMissing, whileLocked } from "../text/fileErrors.ts";
import type { FileChange } from "./fileChange.ts";

/**
 * How far a change has come. `stored`: nothing of it is in the files. `applying` and `reverting`: files are being written, so
 * a window that closes now leaves a mixture, from which the next one recovers. `accepted`: it was applied, and the user keeps
 * it.
 */
export type Stage = "stored" | "applying" | "applied" | "accepted" | "reverting" | "reverted";

export interface StoredChange {
  readonly id: string;
  readonly stage: Stage;
  readonly files: readonly FileChange[];
}

const stages: readonly Stage[] = ["stored", "applying", "applied", "accepted", "reverting", "reverted"];

/** On Windows, another program may have a file open for a moment. */
const removal = { recursive: true, force: true, maxRetries: 5 };

/** What the user has decided about the hunks of a file. */
export interface Decisions {
  /** The URI of the file when it was changed. */
  readonly uri: string;
  /** The keys of the hunks that are kept. */
  readonly accepted: readonly number[];
  /** The URI that the file has by now, if it was renamed in the editor. */
  readonly newUri?: string | undefined;
}

/** How many changes are stored for Undo. */
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

  /**
   * Stores a change before anything is written, in place of one with the same id, of which the decisions about files that stay
   * remain. Deletes the oldest changes.
   */
  async store(id: string, files: readonly FileChange[], stage: Stage = "stored"): Promise<void> {
    const folder = join(this.#folder, `${id}.new`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const listed = files.map(({ uri, before, after, renamedFrom, newFolder, mode, stays }, index) => ({
      uri,
      renamedFrom,
      newFolder,
      mode,
      stays,
      before: before && `${index}.before`,
      after: after && `${index}.after`,
    }));
    for (const [index, { before, after }] of files.entries()) {
      if (before) await writeSynced(join(folder, `${index}.before`), before);
      if (after) await writeSynced(join(folder, `${index}.after`), after);
    }
    await writeSynced(join(folder, "files.json"), Buffer.from(JSON.stringify(listed)));
    await writeSynced(join(folder, "stage"), Buffer.from(stage));
    const staying = new Set(files.flatMap(({ uri, stays }) => (stays ? uri : [])));
    const decisions = [...(await this.decisionsOf(id)).values()].filter(({ uri }) => staying.has(uri));
    await writeSynced(join(folder, "decisions"), Buffer.from(JSON.stringify(decisions)));
    const [current, old] = [join(this.#folder, id), join(this.#folder, `${id}.old`)];
    await rm(old, removal);
    await whileLocked(() => unlessMissing(rename(current, old)));
    await whileLocked(() => rename(folder, current));
    await rm(old, removal);
    await this.#deleteOldest();
  }

  /** Records how far a change has come. */
  setStage(id: string, stage: Stage): Promise<void> {
    return replace(join(this.#folder, id, "stage"), stage);
  }

  /** Notes, by position, which files of a proposal the user skips. */
  setSkipped(id: string, positions: Iterable<number>): Promise<void> {
    return replace(join(this.#folder, id, "skipped"), JSON.stringify([...positions]));
  }

  /** Notes what the user has decided about the hunks of a change. */
  setDecisions(id: string, decisions: readonly Decisions[]): Promise<void> {
    return replace(join(this.#folder, id, "decisions"), JSON.stringify(decisions));
  }

  async remove(id: string): Promise<void> {
    await rm(join(this.#folder, id), removal);
  }

  /** A change; `undefined` if it is not in the store any more. */
  async load(id: string): Promise<StoredChange | undefined> {
    const stage = await this.stageOf(id);
    if (stage === undefined) return undefined;
    const folder = join(this.#folder, id);
    const read = async (name: unknown): Promise<Uint8Array | undefined> =>
      typeof name === "string" ? await readFile(join(folder, name)) : undefined;
    const listed = asArray(parseJson(await readFile(join(folder, "files.json"), "utf8")));
    // Version 1.1.0 recorded the files that Undo skipped by their positions, in the file `leftOut`.
    const leftByUndo = stage === "reverted" ? await this.#positions(id, "leftOut") : undefined;
    const files = await Promise.all(
      listed.map(async (value, index): Promise<FileChange> => {
        const { uri, before, after, renamedFrom, newFolder, mode, stays } = asObject(value) ?? {};
        return {
          uri: asText(uri) ?? "",
          before: await read(before),
          after: await read(after),
          renamedFrom: asText(renamedFrom),
          newFolder: asText(newFolder),
          mode: asCount(mode),
          stays: stays === true || leftByUndo?.has(index) === true,
        };
      }),
    );
    return { id, stage, files };
  }

  /** How far a change has come; `undefined` if it is not in the store. */
  async stageOf(id: string): Promise<Stage | undefined> {
    const text = await this.#read(id, "stage");
    // Version 1.1.0 wrote `kept`.
    return text === "kept" ? "stored" : stages.find((stage) => stage === text);
  }

  /** The positions of the files of a proposal that the user skips. */
  async skippedOf(id: string): Promise<ReadonlySet<number>> {
    // Version 1.1.0 called the file "leftOut".
    return (await this.#positions(id, "skipped")) ?? (await this.#positions(id, "leftOut")) ?? new Set();
  }

  /** What the user has decided about the hunks of a change, by the URIs of its files. */
  async decisionsOf(id: string): Promise<ReadonlyMap<string, Decisions>> {
    const listed = asArray(parseJson((await this.#read(id, "decisions")) ?? ""));
    const decisions = listed.map((value): Decisions => {
      const { uri, accepted, newUri } = asObject(value) ?? {};
      return { uri: asText(uri) ?? "", accepted: asArray(accepted).map(Number), newUri: asText(newUri) };
    });
    return new Map(decisions.map((one) => [one.uri, one]));
  }

  /** The changes, in the order in which they were stored. */
  async ids(): Promise<readonly string[]> {
    const names = (await namesIn(this.#folder)).filter(isUuid);
    const times = await Promise.all(
      names.map(async (id) => ({ id, at: (await stat(join(this.#folder, id, "files.json"))).mtimeMs })),
    );
    return times.toSorted((one, other) => one.at - other.at).map(({ id }) => id);
  }

  /** Deletes what a window that closed did not store to the end, and brings back what it was to replace. */
  async deleteUnfinished(): Promise<void> {
    const names = await namesIn(this.#folder);
    for (const name of names) {
      const path = join(this.#folder, name);
      const [id = "", suffix] = name.split(".");
      if (suffix === "old" && !names.includes(id)) await rename(path, join(this.#folder, id));
      else if (suffix === "new" || suffix === "old") await rm(path, removal);
    }
  }

  async #positions(id: string, name: string): Promise<ReadonlySet<number> | undefined> {
    const text = await this.#read(id, name);
    return text === undefined ? undefined : new Set(asArray(parseJson(text)).map(Number));
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
