import { UserError } from "../failures/userError.ts";
import { type ChangeRecord, type ChangeStore, isUnfinished, type StoredChange } from "./changeStore.ts";
import { type FileAccess, type DiskChange, isSame, newUriOf, urisOf, utf8In, writesOf } from "./diskChange.ts";
import { hasChanged } from "./fileStates.ts";
import { Hunks } from "./hunks.ts";

/** Where changes are stored, and the files that they change. */
export interface ChangeFiles {
  readonly store: ChangeStore;
  readonly files: FileAccess;
}

export interface Undone {
  /** The URIs of the files that were not written because they were changed since. */
  readonly changed: readonly string[];
  /** Whether nothing was written because of files that were changed since. */
  readonly isRefused: boolean;
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
 * Writes all files of a change, or none: what was there is stored first, and written back if anything fails. The files have
 * no unsaved changes. What an earlier part of the change has written stays with it. Throws a `ChangedSinceError` if a file is
 * not as it is in `before`, a `UserError` if the change is unfinished, and what `files` throws.
 */
export async function applyChange(
  id: string,
  proposed: readonly DiskChange[],
  { store, files }: ChangeFiles,
): Promise<void> {
  const stored = await loadFinished(id, store);
  await expectBefore(writesOf(proposed), files);
  const changes = await Promise.all(
    proposed.map(async (change) => {
      const isNew = change.before === undefined || change.newUri !== undefined;
      return { ...change, newFolder: isNew ? await files.missingFolder(newUriOf(change)) : undefined };
    }),
  );
  const isWhole = stored?.stage === "accepted";
  const earlier = (stored ? writtenBy(stored) : []).map((change) => {
    return { ...change, stays: true, isAccepted: isWhole || change.isAccepted };
  });
  await store.store(id, [...earlier, ...changes], "applying");
  const begun: DiskChange[] = [];
  try {
    for (const write of writesOf(changes)) {
      // Storing the earlier contents takes a while, in which the user may go on typing.
      await expectBefore([write], files);
      begun.push(write);
      await put(write, write.after, files);
    }
    await store.update(id, { stage: "applied" });
  } catch (error) {
    await restore(begun, files).catch(failUnfinished);
    await endApplying(id, earlier, store);
    throw error;
  }
}

/** A change in the store. An unfinished one would lose what its files were before, so it has to be recovered first. */
async function loadFinished(id: string, store: ChangeStore): Promise<StoredChange | undefined> {
  const stored = await store.load(id);
  return stored && isUnfinished(stored) ? failUnfinished() : stored;
}

function failUnfinished(cause?: unknown): never {
  throw new UserError("editUnfinished", { cause });
}

/** Records that only the `earlier` part of a change is written. */
async function endApplying(id: string, earlier: readonly DiskChange[], store: ChangeStore): Promise<void> {
  const isAccepted = earlier.every((change) => change.isAccepted);
  if (earlier.length > 0) await store.store(id, earlier, isAccepted ? "accepted" : "applied");
  else await store.update(id, { stage: "stored" });
}

/** What a change has written that is not reverted. */
function writtenBy({ stage, files }: Pick<StoredChange, "stage" | "files">): readonly DiskChange[] {
  if (stage === "applied" || stage === "accepted") return files;
  return stage === "reverted" ? files.filter(({ stays }) => stays) : [];
}

/**
 * Undoes an applied change, or what remains of it after an earlier Undo, except in files that were changed since. These can
 * be undone later, in the same way. A renamed file is undone at both paths or at none. Files and hunks that the user has kept
 * remain, unless the whole change was kept. If anything fails, all files stay as they are. `undefined` if there is nothing to
 * undo.
 */
export async function undoChange(id: string, { store, files }: ChangeFiles): Promise<Undone | undefined> {
  const stored = await loadFinished(id, store);
  if (!stored) return undefined;
  const changes = await Promise.all(stored.files.map((change) => withDecisions(change, stored, files)));
  const all = writtenBy({ stage: stored.stage, files: changes });
  const open = all.filter(({ isAccepted }) => !isAccepted);
  const written = stored.stage === "accepted" || open.length === 0 ? all : open;
  if (written.length === 0) return undefined;
  const changed: string[] = [];
  const skipped = new Set(all.filter((change) => !written.includes(change)));
  const own = new Set<string>();
  for (const change of written) {
    for (const { uri, before, after } of writesOf([change])) {
      let current = await files.read(uri);
      if (isSame(current, after) && (await files.save(uri))) current = await files.read(uri);
      if (isSame(current, after)) own.add(uri);
      else if (!isSame(current, before)) {
        changed.push(uri);
        skipped.add(change);
      }
    }
  }
  const undone = writesOf(written.filter((change) => !skipped.has(change))).filter(({ uri }) => own.has(uri));
  const result = { changed, isRefused: changed.length > 0 && undone.length === 0 };
  if (result.isRefused) return result;
  const snapshot = changes.map((change) =>
    skipped.has(change) ? { ...change, stays: true } : { ...change, stays: false, isAccepted: false },
  );
  await store.store(id, snapshot, "reverting");
  try {
    await restore(undone, files);
    await store.update(id, { stage: "reverted" });
  } catch (error) {
    const again = undone.map((write) => ({ ...write, before: write.after, after: write.before }));
    await restore(again.toReversed(), files).catch(failUnfinished);
    const kept = changes.map((change) => ({ ...change, stays: all.includes(change) }));
    await store.store(id, kept, stored.stage);
    throw error;
  }
  return result;
}

/**
 * The change of a file as the user's decisions leave it: `after` without the hunks that were undone and, unless the whole
 * change was kept, `before` with the hunks that were kept.
 */
async function withDecisions(
  change: DiskChange,
  { stage, decisions }: StoredChange,
  files: FileAccess,
): Promise<DiskChange> {
  if (stage === "reverted") return change;
  const uri = newUriOf(change);
  const now = await files.read(uri).catch(() => undefined);
  const [before, after, text] = [change.before, change.after, now].map((bytes) => bytes && utf8In(bytes));
  if (before === undefined || after === undefined || text === undefined) return change;
  const hunks = new Hunks({ before, after });
  const isWhole = stage === "accepted" || change.isAccepted;
  const decided = isWhole ? undefined : decisions.find((one) => one.uri === uri);
  const accepted = decided?.accepted ?? [];
  return {
    ...change,
    before: accepted.length > 0 ? new TextEncoder().encode(hunks.textWith(new Set(accepted))) : change.before,
    after: hunks.hasOnlyUndone(text) ? now : change.after,
  };
}

/**
 * Reverts changes that a window could not finish, for example because it crashed, in files that may be written. Returns the
 * URIs that were not written, by the id of the change. What fails is tried again in the next window.
 */
export async function recoverChanges(
  where: ChangeFiles,
  mayWrite: (uri: string) => Promise<boolean>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  await where.store.deleteIncomplete();
  const recovered = new Map<string, readonly string[]>();
  for (const record of await where.store.records()) {
    if (!isUnfinished(record)) continue;
    const all = record.files.flatMap(urisOf);
    recovered.set(record.id, (await recoverChange(record, where, mayWrite).catch(() => all)) ?? all);
  }
  return recovered;
}

/** Returns the URIs that were not written; `undefined` if contents are no longer in the store. */
async function recoverChange(
  { id, stage }: ChangeRecord & { readonly id: string },
  { store, files }: ChangeFiles,
  mayWrite: (uri: string) => Promise<boolean>,
): Promise<readonly string[] | undefined> {
  const stored = await store.load(id);
  const all = stored?.files ?? [];
  const begun = all.filter(({ stays }) => stays !== true);
  const refused = new Set<DiskChange>();
  for (const change of begun) for (const uri of urisOf(change)) if (!(await mayWrite(uri))) refused.add(change);
  const changed = await restore(writesOf(begun.filter((change) => !refused.has(change))), files);
  // Files that must not be written now can be undone later.
  const left = new Set<DiskChange>();
  for (const change of refused) if (await hasChanged(change, "before", files)) left.add(change);
  const now = all.map((change) => ({ ...change, stays: change.stays === true || left.has(change) }));
  const staying = now.filter(({ stays }) => stays);
  if (stage === "applying") await endApplying(id, staying, store);
  else if (left.size > 0) await store.store(id, now, "reverted");
  else await store.update(id, { stage: "reverted" });
  return stored && [...changed, ...[...refused].flatMap(urisOf)];
}

async function expectBefore(writes: readonly DiskChange[], files: FileAccess): Promise<void> {
  const changed: string[] = [];
  for (const { uri, before } of writes) if (!isSame(await files.read(uri), before)) changed.push(uri);
  if (changed.length > 0) throw new ChangedSinceError(changed);
}

/**
 * Writes back the earlier content, even over a file that was only partly written. Returns the URIs of files with any other
 * content, which are left alone.
 */
async function restore(writes: readonly DiskChange[], files: FileAccess): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const write of writes.toReversed()) {
    const { uri, before, newFolder } = write;
    const current = await files.read(uri);
    if (isSame(current, before) || isOurs(current, write)) {
      if (!isSame(current, before)) await put(write, before, files);
      if (newFolder !== undefined) await files.removeFolders(uri, newFolder);
    } else changed.push(uri);
  }
  return changed;
}

/** Whether the content of a file was written by Apply or Undo, perhaps only in part. */
function isOurs(current: Uint8Array | undefined, { before, after }: DiskChange): boolean {
  if (current === undefined) return after === undefined;
  return [after, before].some((side) => side !== undefined && isSame(side.subarray(0, current.length), current));
}

async function put({ uri, mode }: DiskChange, bytes: Uint8Array | undefined, files: FileAccess): Promise<void> {
  if (bytes !== undefined) await files.write(uri, bytes, mode);
  else if ((await files.read(uri)) !== undefined) await files.remove(uri);
}
