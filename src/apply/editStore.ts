import { join } from "node:path";
import { Disposable, EventEmitter, type TextDocument, workspace } from "vscode";
import type { LineEdit } from "../edits/types.ts";
import { UserError } from "../failures/userError.ts";
import { ErrorWatch } from "../problems/errorWatch.ts";
import { OneAtATime } from "../base/oneAtATime.ts";
import {
  applyChange,
  ChangedSinceError,
  type ChangeFiles,
  recoverChanges,
  undoChange,
  type Undone,
} from "./applyChange.ts";
import { ChangeStore } from "./changeStore.ts";
import { Edit, type EditedFileData, inOrder, isOpen, type PlacedHunk, type Source, revertOf } from "./edit.ts";
import { changedFile, eolOf, replace, uriOf, withEdits } from "./editDocument.ts";
import { type FileAccess, type DiskChange, newUriOf, urisOf, utf8In } from "./diskChange.ts";
import { type EditState, type FileState, fileStates } from "./fileStates.ts";
import { isUndecided } from "./hunks.ts";

/** How long changes of documents are collected before hunks are located again, in milliseconds. */
const collecting = 100;
/** Maximum number of edits of each source in memory; as many as a store has. */
const maxEdits = 20;
/** Maximum length of the texts that are stored, in characters. */
const maxStoredLength = 4_000_000;

/**
 * The edits that were proposed in this workspace, with their states. All are stored, so that a later window can undo them.
 * Those with undecided hunks are in memory, but only their texts: the positions of hunks are computed, not tracked.
 */
export class EditStore implements Disposable {
  /** Serializes changes of the stores, so that a click is handled after the previous one is stored. */
  readonly queue = new OneAtATime();
  /** The id of the edit that `@codex` has proposed last in this window. */
  lastProposed: string | undefined;
  /** The errors that edits have caused, by the ids of the edits. */
  readonly errors: Readonly<Record<Source, ErrorWatch>>;
  readonly #files: FileAccess;
  readonly #proposed: ChangeStore;
  readonly #applied: Readonly<Record<Source, ChangeStore>>;
  readonly #open = new Map<string, Edit>();
  /** The states of the hunks of each edit that were reported last. */
  readonly #reported = new WeakMap<Edit, string>();
  readonly #changed = new EventEmitter<void>();
  readonly #decided = new EventEmitter<Edit>();
  readonly #stored = new EventEmitter<string | undefined>();
  /** Hunks were added, decided or moved. */
  readonly onDidChange = this.#changed.event;
  /** A hunk of this edit has another state. */
  readonly onDidDecide = this.#decided.event;
  /**
   * The edit of `@codex` with this id was proposed, applied, kept or undone as a whole; `undefined`: any edit may have been
   * recovered.
   */
  readonly onDidStore = this.#stored.event;
  /** Resolves once the edits of earlier windows are loaded. */
  readonly ready: Promise<void>;
  readonly #listeners: Disposable;
  #timer: NodeJS.Timeout | undefined;

  /** `adopt` moves the edits of earlier versions to the store of inline chat. */
  constructor(
    folder: string,
    files: FileAccess,
    {
      now = Date.now,
      adopt = () => Promise.resolve(),
    }: {
      readonly now?: () => number;
      readonly adopt?: (add: (change: DiskChange) => Promise<void>) => Promise<void>;
    } = {},
  ) {
    this.#files = files;
    this.#proposed = new ChangeStore(join(folder, "proposed"));
    this.#applied = { inline: new ChangeStore(join(folder, "inline")), chat: new ChangeStore(join(folder, "applied")) };
    this.errors = { inline: new ErrorWatch(now), chat: new ErrorWatch(now) };
    this.#listeners = Disposable.from(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.#note(document);
      }),
      workspace.onDidOpenTextDocument(this.#note),
      workspace.onDidCloseTextDocument(this.#note),
      workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) this.#rename(oldUri.toString(), newUri.toString());
      }),
    );
    this.ready = this.queue
      .run(async () => {
        // If this fails, the next window tries again.
        await adopt((change) => this.#applied.inline.store(crypto.randomUUID(), [change], "applied")).catch(
          () => undefined,
        );
        for (const source of ["inline", "chat"] as const) {
          for (const { id } of await this.#applied[source].records()) {
            if (!this.#open.has(id)) await this.#load(source, id);
          }
        }
      })
      // Edits that cannot be read are not shown.
      .catch(() => undefined);
  }

  /** Stores a proposal of `@codex` and returns its id. */
  async propose(changes: readonly DiskChange[]): Promise<string> {
    const id = crypto.randomUUID();
    await this.#proposed.store(id, changes);
    this.lastProposed = id;
    this.#stored.fire(id);
    return id;
  }

  /** Skips a file of a proposal, or includes it again. */
  async setSkipped(id: string, index: number, isSkipped: boolean): Promise<void> {
    const skipped = new Set((await this.#proposed.record(id))?.skipped);
    if (isSkipped) skipped.add(index);
    else skipped.delete(index);
    await this.#proposed.update(id, { skipped: [...skipped] });
  }

  /** The state of a proposal as a whole. */
  async stateOf(id: string): Promise<EditState> {
    const stage = (await this.#applied.chat.record(id))?.stage;
    if (stage === "applied" || stage === "accepted") return stage;
    return stage === "reverted" ? "undone" : "proposed";
  }

  /** The state of each file of a proposal; none if it is no longer stored. */
  async fileStates(id: string): Promise<readonly FileState[]> {
    const state = await this.stateOf(id);
    const proposal = await this.#proposed.load(id);
    const written = state === "proposed" ? undefined : await this.#applied.chat.load(id);
    return proposal ? await fileStates(state, proposal, written?.files ?? [], this.#files) : [];
  }

  /**
   * Saves files of a proposal, and writes what it changes in them, all or none, in addition to what is written already.
   * Watches for the errors that this causes. Throws a `ChangedSinceError` if a file no longer fits.
   */
  async apply(id: string, chosen: readonly DiskChange[]): Promise<void> {
    for (const { uri } of chosen) await this.#files.save(uri);
    // A formatter, for example, may have changed what was saved.
    const uris = new Set(chosen.map(({ uri }) => uri));
    const states = (await this.fileStates(id)).filter(({ file }) => uris.has(file.uri));
    const blocked = states.filter(({ blockedBy }) => blockedBy !== undefined);
    if (blocked.length > 0) throw new ChangedSinceError(blocked.map(({ file }) => file.uri));
    const files = states.map(({ file }) => file);
    await this.errors.chat.during(id, files.map(uriOf), async () => {
      await applyChange(id, files, this.#target);
      await this.#update(id);
      return files.filter(({ after }) => after !== undefined).map(changedFile);
    });
  }

  /** Reverts an applied proposal, as `undoChange` does. */
  async revert(id: string): Promise<Undone | undefined> {
    const undone = await undoChange(id, this.#target);
    if (undone) await this.#update(id);
    return undone;
  }

  /** Keeps an applied proposal for good. */
  async accept(id: string): Promise<boolean> {
    if ((await this.#applied.chat.record(id))?.stage !== "applied") return false;
    await this.#applied.chat.update(id, { stage: "accepted" });
    await this.#update(id);
    return true;
  }

  /** Reverts what an earlier window could not finish writing, as `recoverChanges` does. */
  async recover(mayWrite: (uri: string) => Promise<boolean>): Promise<ReadonlyMap<string, readonly string[]>> {
    const recovered = await recoverChanges(this.#target, mayWrite);
    for (const id of recovered.keys()) await this.#load("chat", id);
    this.#stored.fire(undefined);
    return recovered;
  }

  /** The URIs of the files that a proposal has written. */
  async writtenBy(id: string): Promise<readonly string[]> {
    return ((await this.#applied.chat.record(id))?.files ?? []).flatMap(urisOf);
  }

  /** The proposal that was applied last and is neither undone nor kept for good. */
  async lastApplied(): Promise<string | undefined> {
    return (await this.#applied.chat.records()).findLast(({ stage }) => stage === "applied")?.id;
  }

  /** The open hunks of a document, from top to bottom. */
  openIn(document: TextDocument): readonly PlacedHunk[] {
    const uri = document.uri.toString();
    const hunks = [...this.#open.values()].flatMap(({ files }) =>
      files.filter(({ newUri }) => newUri === uri).flatMap((file) => file.hunks),
    );
    return inOrder(hunks.filter(isOpen));
  }

  /** The hunk with an id, or those of the edit with it. */
  named(id: unknown): readonly PlacedHunk[] {
    const all = [...this.#open.values()].flatMap((edit) => edit.hunks);
    return all.filter((hunk) => hunk.id === id || hunk.edit.id === id);
  }

  /** The URIs of the files, also of those that are not open, in the order in which they were changed. */
  get uris(): readonly string[] {
    const files = [...this.#open.values()].flatMap((edit) => edit.files);
    return [...new Set(files.map(({ newUri }) => newUri))];
  }

  /** The URIs of the files of an edit. */
  urisOf(id: unknown): readonly string[] {
    const edit = typeof id === "string" ? this.#open.get(id) : undefined;
    return edit?.files.map(({ newUri }) => newUri) ?? [];
  }

  /**
   * Changes a document as one undo step. Its hunks are open from then on. `subject` names what the change belongs to, in
   * errors.
   */
  async change(document: TextDocument, edits: readonly LineEdit[], subject: string): Promise<Edit> {
    const uri = document.uri.toString();
    const before = document.getText();
    const after = withEdits(document, edits).join(eolOf(document));
    const origin = { id: crypto.randomUUID(), source: "inline", hasFileOperations: false } as const;
    const edit = new Edit(origin, [{ uri, newUri: uri, before, after }]);
    const undone = [...this.#open.values()].filter((one) => one.source === "inline" && one.isUndoneIn(document));
    await this.errors.inline.during(edit.id, [document.uri], async () => {
      await replace(document, edits, new UserError("codeChanged", { subject }));
      // Otherwise, a change that is applied again would be highlighted twice.
      for (const { id } of undone) {
        this.#open.delete(id);
        this.#store(() => this.#applied.inline.remove(id));
      }
      this.#add(edit);
      this.#refresh();
      return [{ uri: document.uri, lines: () => edit.hunks.filter(isUndecided).map(({ lines }) => lines) }];
    });
    const [old, own] = [before, after].map((text) => new TextEncoder().encode(text));
    if (before.length + after.length <= maxStoredLength) {
      this.#store(() => this.#applied.inline.store(edit.id, [{ uri, before: old, after: own }], "applied"));
    }
    return edit;
  }

  /** Keeps hunks and removes their highlights. */
  keep(hunks: readonly PlacedHunk[]): void {
    for (const { file, key } of hunks) file.accepted.add(key);
    for (const edit of new Set(hunks.map((hunk) => hunk.edit))) this.#storeDecisions(edit);
    this.#refresh();
  }

  /** Restores the text that hunks have replaced, in one undo step for each document. */
  async undo(hunks: readonly PlacedHunk[]): Promise<void> {
    for (const [document, own] of Map.groupBy(hunks, (hunk) => hunk.document)) {
      const ids = new Set(own.map(({ id }) => id));
      const now = this.openIn(document).filter(({ id }) => ids.has(id));
      const overlaps = now.some(({ lines }, index) => lines.start < (now[index - 1]?.lines.end ?? 0));
      const changed = new UserError("editChanged", { subject: own[0]?.id ?? "" });
      if (now.length < ids.size || overlaps) throw changed;
      await replace(document, now.map(revertOf), changed);
    }
    this.#refresh();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    const { inline, chat } = this.errors;
    Disposable.from(this.#listeners, inline, chat, this.#changed, this.#decided, this.#stored).dispose();
  }

  get #target(): ChangeFiles {
    return { store: this.#applied.chat, files: this.#files };
  }

  /** Reloads an edit of `@codex` from the store, and reports the change. */
  async #update(id: string): Promise<void> {
    await this.#load("chat", id);
    this.#stored.fire(id);
  }

  /** Loads an edit from a store, replacing the one in memory, or removes that if it is no longer applied. */
  async #load(source: Source, id: string): Promise<void> {
    const store = this.#applied[source];
    // Most edits are decided, so their files are not read when a window starts.
    const isApplied = (await store.record(id))?.stage === "applied";
    const { files: all = [], decisions = [] } = (isApplied ? await store.load(id) : undefined) ?? {};
    const stored = all.filter(({ isAccepted }) => !isAccepted);
    const files = stored.flatMap((change): readonly EditedFileData[] => {
      const [before, after] = [change.before, change.after].map((bytes) => bytes && utf8In(bytes));
      if (before === undefined || after === undefined || (change.newUri !== undefined && before === after)) return [];
      const uri = newUriOf(change);
      const { accepted, newUri = uri } = decisions.find((one) => one.uri === uri) ?? {};
      return [{ uri, newUri, before, after, accepted }];
    });
    const hasFileOperations = stored.some(({ newUri }) => newUri !== undefined) || files.length < stored.length;
    if (files.length === 0) this.#open.delete(id);
    else this.#add(new Edit({ id, source, hasFileOperations }, files));
    if (!isApplied) this.errors[source].end(id);
    this.#refresh();
  }

  #add(edit: Edit): void {
    this.#open.delete(edit.id);
    this.#open.set(edit.id, edit);
    const ofSource = [...this.#open.values()].filter(({ source }) => source === edit.source);
    for (const { id } of ofSource.slice(0, -maxEdits)) this.#open.delete(id);
  }

  readonly #note = ({ uri }: TextDocument): void => {
    if (this.uris.includes(uri.toString())) this.#timer ??= setTimeout(this.#refresh, collecting);
  };

  /** Reports what has changed since the last time. */
  readonly #refresh = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const edit of this.#open.values()) {
      const { hunks } = edit;
      const states = hunks.map(({ id, state }) => `${state} ${id}`).join();
      if (hunks.length > 0 && this.#reported.get(edit) !== states) {
        this.#reported.set(edit, states);
        this.#decided.fire(edit);
        // The errors of an edit of inline chat are watched until it is decided.
        if (edit.source === "inline" && hunks.some(isUndecided)) this.errors.inline.noteUndo(edit.id);
        else if (edit.source === "inline") this.errors.inline.end(edit.id);
      }
      if (edit.isAccepted) this.#open.delete(edit.id);
    }
    this.#changed.fire();
  };

  /** Stores what was decided about the hunks of an edit. */
  #storeDecisions(edit: Edit): void {
    const { id, source, files } = edit;
    const store = this.#applied[source];
    const decisions = files.map(({ uri, newUri, accepted }) => ({ uri, newUri, accepted: [...accepted] }));
    this.#store(async () => {
      if (!edit.isAccepted) await store.update(id, { decisions });
      else if (source === "inline") await store.remove(id);
      else await this.accept(id);
    });
  }

  #rename(from: string, to: string): void {
    for (const edit of this.#open.values()) {
      const moved = edit.files.filter(({ newUri }) => newUri === from || newUri.startsWith(`${from}/`));
      for (const file of moved) file.newUri = to + file.newUri.slice(from.length);
      if (moved.length > 0) this.#storeDecisions(edit);
    }
    this.#refresh();
  }

  /** If this fails, hunks are known only until the window closes. */
  #store(work: () => Promise<void>): void {
    void this.queue.run(work).catch(() => undefined);
  }
}
