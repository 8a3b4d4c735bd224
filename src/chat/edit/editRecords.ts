import { join } from "node:path";
import { applyChange, type ChangeFiles, recoverChanges, undoChange, type Undone } from "../../apply/applyChange.ts";
import { ChangeStore } from "../../apply/changeStore.ts";
import { type FileChange, type Files, isSame, utf8In } from "../../apply/fileChange.ts";
import { mergeText } from "../../apply/mergeText.ts";
import { OneAtATime } from "../../text/oneAtATime.ts";
import { ContextKeys } from "../../ui/contextKeys.ts";
import { type ProposedFile, proposedFiles } from "./proposedFiles.ts";
import type { RefusalKind } from "./resolveAnswer.ts";

/** What became of an edit, or of a file of it. */
export type EditState = "proposed" | "skipped" | "applied" | "accepted" | "undone";

/** A file of an edit, as it was written or can be now, and what became of it. */
export interface FileState {
  readonly file: ProposedFile;
  /** Why it cannot be applied now. */
  readonly blockedBy?: RefusalKind;
  /** `notUndone`: it stayed when the edit was undone, because it was changed after the edit was applied. */
  readonly state: EditState | "notUndone";
  /** Whether the file is not as the edit, or undoing it, left it. */
  readonly isChanged: boolean;
}

/** Whether nothing of an edit is in a file. */
export function isUnwritten(state: FileState["state"]): boolean {
  return state === "proposed" || state === "skipped" || state === "undone";
}

/** The edits proposed in this workspace, and what became of them. Both are stored, so that a later window can undo them. */
export class EditRecords {
  /** For what changes them: it is stored before the next click counts. */
  readonly queue = new OneAtATime();
  /** The context keys about edits. */
  readonly keys = new ContextKeys();
  /** The id of the edit that was proposed last in this window. */
  lastProposed: string | undefined;
  readonly #proposed: ChangeStore;
  /** What was applied, for its hunks, too. */
  readonly applied: ChangeStore;
  readonly #target: ChangeFiles;

  constructor(folder: string, files: Files) {
    this.#proposed = new ChangeStore(join(folder, "proposed"));
    this.applied = new ChangeStore(join(folder, "applied"));
    this.#target = { store: this.applied, files };
  }

  /** Keeps a proposal and returns its id. */
  async add(changes: readonly FileChange[]): Promise<string> {
    const id = crypto.randomUUID();
    await this.#proposed.store(id, changes);
    this.lastProposed = id;
    return id;
  }

  /** Leaves a file out, or takes it in again. */
  async setSkipped(id: string, index: number, isSkipped: boolean): Promise<void> {
    const skipped = new Set(await this.#proposed.skippedOf(id));
    if (isSkipped) skipped.add(index);
    else skipped.delete(index);
    await this.#proposed.setSkipped(id, skipped);
  }

  /** What became of an edit as a whole. */
  async stateOf(id: string): Promise<EditState> {
    const stage = await this.applied.stageOf(id);
    if (stage === "applied" || stage === "accepted") return stage;
    return stage === "reverted" ? "undone" : "proposed";
  }

  /** What became of each file of an edit; none if it is not known any more. */
  async fileStates(id: string): Promise<readonly FileState[]> {
    const files = proposedFiles((await this.#proposed.load(id))?.files ?? []);
    const state = await this.stateOf(id);
    const stored = state === "proposed" ? [] : ((await this.applied.load(id))?.files ?? []);
    const written = proposedFiles(stored);
    const skipped = await this.#proposed.skippedOf(id);
    return await Promise.all(
      files.map(async (proposed, index) => {
        const file = written.find(({ uri }) => uri === proposed.uri);
        const isNotUndone = state === "undone" && file?.changes.some(({ stays }) => stays);
        const now = !file ? "proposed" : isNotUndone ? "notUndone" : state;
        const own = isUnwritten(now) && skipped.has(index) ? "skipped" : now;
        const isWritten = file && !isUnwritten(own);
        // What cannot be read any more is refused before anything is written.
        const merged = isWritten
          ? { file }
          : await mergeFile(proposed, this.#target.files).catch(() => ({ file: proposed }));
        return { ...merged, state: own, isChanged: await this.#isChanged(file ?? proposed, own) };
      }),
    );
  }

  async #isChanged({ changes }: ProposedFile, state: FileState["state"]): Promise<boolean> {
    const side = isUnwritten(state) ? "before" : "after";
    try {
      for (const change of changes) if (!isSame(await this.#target.files.read(change.uri), change[side])) return true;
      return false;
    } catch {
      // It cannot be read any more.
      return true;
    }
  }

  /** Writes files of an edit, all or none, besides those that are written already. Throws what `applyChange` throws. */
  async apply(id: string, files: readonly ProposedFile[]): Promise<void> {
    const changes = files.flatMap((file) => file.changes);
    await applyChange(id, changes, this.#target);
  }

  /** Takes an applied edit back, as `undoChange` does. */
  undo(id: string): Promise<Undone | undefined> {
    return undoChange(id, this.#target);
  }

  /** The URIs of the files that an edit has written. */
  async urisOf(id: string): Promise<readonly string[]> {
    return ((await this.applied.load(id))?.files ?? []).map(({ uri }) => uri);
  }

  /** Keeps an applied edit for good. */
  async accept(id: string): Promise<boolean> {
    if ((await this.applied.stageOf(id)) !== "applied") return false;
    await this.applied.setStage(id, "accepted");
    return true;
  }

  /** The edit that was applied last and is neither undone nor kept for good. */
  async lastApplied(): Promise<string | undefined> {
    for (const id of (await this.applied.ids()).toReversed()) {
      if ((await this.applied.stageOf(id)) === "applied") return id;
    }
    return undefined;
  }

  /** Takes back what an earlier window could not finish writing, as `recoverChanges` does. */
  recover(mayWrite: (uri: string) => Promise<boolean>): Promise<ReadonlyMap<string, readonly string[]>> {
    return recoverChanges(this.#target, mayWrite);
  }
}

/** Merges the change of a file with what has become of the file since the answer. */
async function mergeFile(
  file: ProposedFile,
  { read }: Pick<Files, "read">,
): Promise<Pick<FileState, "file" | "blockedBy">> {
  const [change, target] = file.changes;
  if (!change || (target && (await read(target.uri)) !== undefined)) return { file, blockedBy: "exists" };
  const current = await read(change.uri);
  if (isSame(current, file.before)) return { file };
  if (file.before === undefined) return { file, blockedBy: "exists" };
  if (current === undefined) return { file, blockedBy: "unknownFile" };
  if (file.after === undefined) return { file, blockedBy: "changedSince" };
  const [base, wanted, now] = [file.before, file.after, current].map(utf8In);
  if (base === undefined || wanted === undefined || now === undefined) return { file, blockedBy: "encoding" };
  const text = mergeText(base, wanted, now);
  if (text === undefined) return { file, blockedBy: "changedSince" };
  const after = new TextEncoder().encode(text);
  const [moved, own] = [target && { ...target, after }, { ...change, before: current }];
  return { file: proposedFiles(moved ? [own, moved] : [{ ...own, after }])[0] ?? file };
}
