import { join } from "node:path";
import { applyChange, type LeftAlone, mendChanges, undoChange } from "../../apply/applyChange.ts";
import { ChangeStore } from "../../apply/changeStore.ts";
import type { FileChange, Files } from "../../apply/fileChange.ts";
import { type ProposedFile, proposedFiles } from "./proposedFiles.ts";

/** What became of an edit, or of a file of it. */
export type EditState = "proposed" | "skipped" | "applied" | "accepted" | "undone";

/** A file of an edit, and what became of it. */
export interface FileState {
  readonly file: ProposedFile;
  readonly state: EditState;
}

/**
 * The edits that were proposed in this workspace, and what became of them. Both are stored, so that an edit can be undone
 * in a later window.
 */
export class EditRecords {
  readonly #proposed: ChangeStore;
  readonly #applied: ChangeStore;
  readonly #files: Files;

  constructor(folder: string, files: Files) {
    this.#proposed = new ChangeStore(join(folder, "proposed"));
    this.#applied = new ChangeStore(join(folder, "applied"));
    this.#files = files;
  }

  /** Keeps a proposal and returns its id. */
  async add(changes: readonly FileChange[]): Promise<string> {
    const id = crypto.randomUUID();
    await this.#proposed.keep(id, changes);
    return id;
  }

  /** The files of an edit; `undefined` if it is not known any more. */
  async filesOf(id: string): Promise<readonly ProposedFile[] | undefined> {
    const stored = await this.#proposed.load(id);
    return stored && proposedFiles(stored.files);
  }

  /** The positions of files that are not to be applied. */
  async skippedOf(id: string): Promise<ReadonlySet<number>> {
    return await this.#proposed.leftOutOf(id);
  }

  /** Leaves a file out, or takes it in again. */
  async setSkipped(id: string, index: number, isSkipped: boolean): Promise<void> {
    const skipped = new Set(await this.skippedOf(id));
    if (isSkipped) skipped.add(index);
    else skipped.delete(index);
    await this.#proposed.setLeftOut(id, skipped);
  }

  /** What became of an edit as a whole. */
  async stateOf(id: string): Promise<EditState> {
    const stage = await this.#applied.stageOf(id);
    if (stage === "applied" || stage === "accepted") return stage;
    return stage === "reverted" ? "undone" : "proposed";
  }

  /** What became of each file of an edit. */
  async fileStates(id: string): Promise<readonly FileState[]> {
    const files = (await this.filesOf(id)) ?? [];
    const state = await this.stateOf(id);
    const stored = state === "proposed" ? undefined : await this.#applied.load(id);
    const written = stored && new Set(stored.files.map(({ uri }) => uri));
    const skipped = await this.skippedOf(id);
    return files.map((file, index) => {
      if (written) return { file, state: written.has(file.uri) ? state : "skipped" };
      return { file, state: skipped.has(index) ? "skipped" : "proposed" };
    });
  }

  /** Writes files of an edit, all or none. Throws what `applyChange` throws. */
  async apply(id: string, files: readonly ProposedFile[]): Promise<void> {
    const changes = files.flatMap((file) => file.changes);
    await applyChange(id, changes, { store: this.#applied, files: this.#files });
  }

  /** Takes an applied edit back. `undefined` if there is nothing to take back. */
  async undo(id: string): Promise<(LeftAlone & { readonly uris: readonly string[] }) | undefined> {
    const stored = await this.#applied.load(id);
    if (stored?.stage !== "applied" && stored?.stage !== "accepted") return undefined;
    const { changed } = await undoChange(stored, { store: this.#applied, files: this.#files });
    return { changed, uris: stored.files.map(({ uri }) => uri) };
  }

  /** Keeps an applied edit for good. */
  async accept(id: string): Promise<boolean> {
    if ((await this.#applied.stageOf(id)) !== "applied") return false;
    await this.#applied.setStage(id, "accepted");
    return true;
  }

  /** The edit that was applied last and is neither undone nor kept for good. */
  async lastApplied(): Promise<string | undefined> {
    for (const id of (await this.#applied.ids()).toReversed()) {
      if ((await this.#applied.stageOf(id)) === "applied") return id;
    }
    return undefined;
  }

  /** Takes back what an earlier window could not finish writing. */
  async mend(): Promise<readonly LeftAlone[]> {
    return mendChanges({ store: this.#applied, files: this.#files });
  }
}
