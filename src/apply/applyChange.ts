import type { ChangeStore, StoredChange } from "./changeStore.ts";
import { type FileChange, type Files, isSame, startsWith, utf8In } from "./fileChange.ts";
import { Hunks } from "./hunks.ts";

/** Where changes are stored, and the files that they change. */
export interface ChangeFiles {
  readonly store: ChangeStore;
  readonly files: Files;
}

export interface Undone {
  /** The URIs of the files that were not written because they were changed since. */
  readonly changed: readonly string[];
  /** Whether no file was written. */
  readonly isNothing: boolean;
}

/** The error when a file is not as it was when the change was shown. Nothing is written. */
export class ChangedSinceError extends Error {
  override readonly name = "ChangedSinceError";
  readonly uris: readonly string[];

  constructor(uris: readonly string[]) {
    super("Files have changed since.");
    this.uris = uris;
  }
}

/**
 * Writes all files of a change, or none: what was there is stored first, and written back if anything fails. What an
 * earlier part of the change has written stays with it. Throws a `ChangedSinceError` if a file is not as it is in `before`,
 * and what `files` throws.
 */
export async function applyChange(
  id: string,
  proposed: readonly FileChange[],
  { store, files }: ChangeFiles,
): Promise<void> {
  for (const { uri } of proposed) await files.save(uri);
  await expectBefore(proposed, files);
  const changes = await Promise.all(
    proposed.map(async (change) => ({
      ...change,
      newFolder: change.before ? undefined : await files.missingFolder(change.uri),
    })),
  );
  const stored = await store.load(id);
  const earlier = stored ? writtenBy(stored).map((change) => ({ ...change, stays: true })) : [];
  await store.store(id, [...earlier, ...changes], "applying");
  const begun: FileChange[] = [];
  try {
    for (const change of inOrder(changes)) {
      // Storing what was there takes a while, in which the user may go on typing.
      await expectBefore([change], files);
      begun.push(change);
      await put(change, change.after, files);
    }
  } catch (error) {
    await restore(begun, files);
    await endApplying(id, earlier, store);
    throw error;
  }
  await store.setStage(id, "applied");
}

/** Records that nothing more of a change is in the files than what an `earlier` part of it has written. */
async function endApplying(id: string, earlier: readonly FileChange[], store: ChangeStore): Promise<void> {
  if (earlier.length > 0) await store.store(id, earlier, "applied");
  else await store.setStage(id, "stored");
}

/** What a change has written that is not taken back. */
function writtenBy({ stage, files }: StoredChange): readonly FileChange[] {
  if (stage === "applied" || stage === "accepted") return files;
  return stage === "reverted" ? files.filter(({ stays }) => stays) : [];
}

/**
 * Undoes an applied change, or what remains of it after an earlier Undo, except in files that were changed since. These can
 * be undone later, in the same way. A renamed file is undone at both paths or at none. Hunks that the user has kept remain,
 * unless the whole change was kept. `undefined` if there is nothing to undo.
 */
export async function undoChange(id: string, { store, files }: ChangeFiles): Promise<Undone | undefined> {
  const loaded = await store.load(id);
  const stored = loaded && (await withDecisions(loaded, { store, files }));
  const changes = stored ? writtenBy(stored) : [];
  if (!stored || changes.length === 0) return undefined;
  const changed: FileChange[] = [];
  const own: FileChange[] = [];
  for (const change of changes) {
    let current = await files.read(change.uri);
    if (isSame(current, change.after) && (await files.save(change.uri))) current = await files.read(change.uri);
    if (isSame(current, change.after)) own.push(change);
    else if (!isSame(current, change.before)) changed.push(change);
  }
  const changedNames = new Set(changed.map(nameOf));
  const undone = own.filter((change) => !changedNames.has(nameOf(change)));
  const result = { changed: changed.map(({ uri }) => uri), isNothing: changed.length > 0 && undone.length === 0 };
  if (result.isNothing) return result;
  const snapshot = stored.files.map((change) => ({ ...change, stays: changedNames.has(nameOf(change)) }));
  await store.store(id, snapshot, "reverting");
  await restore(undone, files);
  await store.setStage(id, "reverted");
  return result;
}

/** An applied change with its files as they are where hunks were undone, and as they were before, with hunks that are kept. */
async function withDecisions(stored: StoredChange, { store, files }: ChangeFiles): Promise<StoredChange> {
  if (stored.stage !== "applied") return stored;
  const decisions = await store.decisionsOf(stored.id);
  const decided = stored.files.map(async (file): Promise<FileChange> => {
    const source = stored.files.find(({ uri }) => uri === file.renamedFrom) ?? file;
    const target = stored.files.find(({ renamedFrom }) => renamedFrom === file.uri) ?? file;
    const accepted = new Set(decisions.get(target.uri)?.accepted);
    const now = await files.read(target.uri).catch(() => undefined);
    const [before, after, text] = [source.before, target.after, now].map((bytes) => bytes && utf8In(bytes));
    if (before === undefined || after === undefined || text === undefined) return file;
    const hunks = new Hunks({ before, after });
    return {
      ...file,
      before: accepted.size > 0 && file.before ? new TextEncoder().encode(hunks.textWith(accepted)) : file.before,
      after: hunks.isPart(text) && file.after ? now : file.after,
    };
  });
  return { ...stored, files: await Promise.all(decided) };
}

/**
 * Takes back what a window could not finish, in files that may be written. Returns the URIs that were not written, by the id
 * of the change.
 */
export async function recoverChanges(
  { store, files }: ChangeFiles,
  mayWrite: (uri: string) => Promise<boolean>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  await store.deleteUnfinished();
  const recovered = new Map<string, readonly string[]>();
  for (const id of await store.ids()) {
    const stage = await store.stageOf(id);
    if (stage !== "applying" && stage !== "reverting") continue;
    const stored = await store.load(id);
    if (stored === undefined) continue;
    const changes = stored.files.filter(({ stays }) => !stays);
    const refused = new Set<string>();
    for (const change of changes) if (!(await mayWrite(change.uri))) refused.add(nameOf(change));
    const isRefused = (change: FileChange): boolean => refused.has(nameOf(change));
    const changed = await restore(
      changes.filter((change) => !isRefused(change)),
      files,
    );
    const earlier = stored.files.filter(({ stays }) => stays);
    if (stage === "applying") await endApplying(id, earlier, store);
    else await store.setStage(id, "reverted");
    recovered.set(id, [...changed, ...changes.filter(isRefused).map(({ uri }) => uri)]);
  }
  return recovered;
}

/** The name of a file before the change, by which both parts of a rename are one. */
function nameOf({ uri, renamedFrom }: FileChange): string {
  return renamedFrom ?? uri;
}

async function expectBefore(changes: readonly FileChange[], files: Files): Promise<void> {
  const changed: string[] = [];
  for (const { uri, before } of changes) if (!isSame(await files.read(uri), before)) changed.push(uri);
  if (changed.length > 0) throw new ChangedSinceError(changed);
}

/** Writes back what was there, also over a file that was written only in part. Returns what has another content. */
async function restore(changes: readonly FileChange[], files: Files): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const change of inOrder(changes).toReversed()) {
    const current = await files.read(change.uri);
    if (isSame(current, change.before) || isOurs(current, change)) {
      if (!isSame(current, change.before)) await put(change, change.before, files);
      if (change.newFolder !== undefined) await files.removeFolders(change.uri, change.newFolder);
    } else changed.push(change.uri);
  }
  return changed;
}

/** Whether a file has what applying or undoing has written, perhaps only in part. */
function isOurs(current: Uint8Array | undefined, { before, after }: FileChange): boolean {
  if (current === undefined) return after === undefined;
  return [after, before].some((side) => side !== undefined && startsWith(side, current));
}

async function put({ uri, mode }: FileChange, bytes: Uint8Array | undefined, files: Files): Promise<void> {
  if (bytes !== undefined) await files.write(uri, bytes, mode);
  else if ((await files.read(uri)) !== undefined) await files.remove(uri);
}

/** Deletes last, so that what is moved is never nowhere. */
function inOrder(changes: readonly FileChange[]): readonly FileChange[] {
  return changes.toSorted((one, other) => Number(one.after === undefined) - Number(other.after === undefined));
}
