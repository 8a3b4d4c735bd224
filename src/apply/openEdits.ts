import { Disposable, EventEmitter, type TextDocument, Uri, workspace } from "vscode";
import type { LineEdit } from "../edits/types.ts";
import { UserError } from "../failures/userError.ts";
import { splitLines } from "../text/lines.ts";
import type { OneAtATime } from "../text/oneAtATime.ts";
import { openDocument } from "../ui/openDocument.ts";
import type { ChangeStore } from "./changeStore.ts";
import { eolOf, replace, withEdits } from "./editDocument.ts";
import { utf8In } from "./fileChange.ts";
import { type Hunk, Hunks } from "./hunks.ts";

/** Where an edit comes from, which has a store of its own. */
type Source = "inline" | "chat";

/** What inline chat or `@codex` has changed in files. */
export interface Edit {
  readonly id: string;
  readonly source: Source;
  readonly files: readonly EditedFile[];
  /** Whether it has created, deleted, or renamed files as well, so that more than its hunks is to be decided. */
  readonly hasMore: boolean;
}

export interface EditedFile {
  /** The URI of the file when it was changed. */
  readonly uri: string;
  /** The URI of the file now. */
  newUri: string;
  readonly before: string;
  readonly hunks: Hunks;
  /** The keys of the hunks that the user keeps. */
  readonly accepted: Set<number>;
}

/** A hunk in an open document. */
export interface PlacedHunk extends Hunk {
  readonly id: string;
  readonly edit: Edit;
  readonly file: EditedFile;
  readonly document: TextDocument;
}

/** The hunks of a file as they were found last. */
interface Found {
  readonly document: TextDocument;
  readonly version: number;
  /** How many were accepted. */
  readonly size: number;
  readonly hunks: readonly PlacedHunk[];
}

/** How long changes of documents are collected before hunks are found anew, in milliseconds. */
const collecting = 100;
/** How many edits of each source are known; as many as a store has. */
const mostEdits = 20;
/** The longest texts that are stored, in characters. */
const longestStored = 4_000_000;

/** The edits whose hunks the user has not decided about. What is known of them is their texts; nothing follows events. */
export class OpenEdits implements Disposable {
  readonly #edits = new Map<string, Edit>();
  readonly #stores: Readonly<Record<Source, ChangeStore>>;
  readonly #queue: OneAtATime;
  readonly #found = new WeakMap<EditedFile, Found>();
  /** The states of the hunks of each edit that were reported last. */
  readonly #reported = new WeakMap<Edit, string>();
  readonly #changed = new EventEmitter<void>();
  readonly #decided = new EventEmitter<Edit>();
  readonly #accepted = new EventEmitter<string>();
  /** Hunks were added, decided or moved. */
  readonly onDidChange = this.#changed.event;
  /** A hunk of this edit has another state. */
  readonly onDidDecide = this.#decided.event;
  /** All of the edit of `@codex` with this id is kept, which is stored by now. */
  readonly onDidAccept = this.#accepted.event;
  /** The edits of earlier windows are known. */
  readonly ready: Promise<void>;
  readonly #listeners: Disposable;
  #timer: NodeJS.Timeout | undefined;

  /** What changes the stores runs in the `queue`. */
  constructor(stores: Readonly<Record<Source, ChangeStore>>, queue: OneAtATime) {
    this.#stores = stores;
    this.#queue = queue;
    this.#listeners = Disposable.from(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.#note(document);
      }),
      workspace.onDidOpenTextDocument((document) => {
        this.#note(document);
      }),
      workspace.onDidCloseTextDocument((document) => {
        this.#note(document);
      }),
      workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) this.#rename(oldUri.toString(), newUri.toString());
      }),
    );
    this.ready = queue
      .run(async () => {
        for (const source of ["inline", "chat"] as const) {
          for (const id of await stores[source].ids()) if (!this.#edits.has(id)) await this.load(source, id);
        }
      })
      // What cannot be read is not shown.
      .catch(() => undefined);
  }

  /** The open hunks of a document, from top to bottom. */
  openIn(document: TextDocument): readonly PlacedHunk[] {
    const uri = document.uri.toString();
    const hunks = [...this.#edits.values()].flatMap((edit) =>
      edit.files.filter(({ newUri }) => newUri === uri).flatMap((file) => this.#hunksIn(edit, file)),
    );
    return inOrder(hunks.filter(isOpen));
  }

  /** All hunks of an edit in open documents, in order. */
  hunksOf(edit: Edit): readonly PlacedHunk[] {
    return edit.files.flatMap((file) => this.#hunksIn(edit, file));
  }

  /** The hunk with an id, or those of the edit with it. */
  named(id: unknown): readonly PlacedHunk[] {
    const all = [...this.#edits.values()].flatMap((edit) => this.hunksOf(edit));
    return all.filter((hunk) => hunk.id === id || hunk.edit.id === id);
  }

  /** The URIs of the files, also of those that are not open, in the order in which they were changed. */
  get uris(): readonly string[] {
    const files = [...this.#edits.values()].flatMap((edit) => edit.files);
    return [...new Set(files.map(({ newUri }) => newUri))];
  }

  /** The URIs of the files of an edit. */
  urisOf(id: unknown): readonly string[] {
    const edit = typeof id === "string" ? this.#edits.get(id) : undefined;
    return edit?.files.map(({ newUri }) => newUri) ?? [];
  }

  /** Adds what a store has of an edit, in place of what was known of it; forgets it if it is not applied any more. */
  async load(source: Source, id: string): Promise<void> {
    const store = this.#stores[source];
    // Most edits are decided. Their files are not read when a window starts.
    const stored = (await store.stageOf(id)) === "applied" ? await store.load(id) : undefined;
    const decisions = await store.decisionsOf(id);
    const files = (stored?.files ?? []).flatMap((file): readonly EditedFile[] => {
      const { uri, renamedFrom = uri } = file;
      const source = stored?.files.find((one) => one.uri === renamedFrom);
      const [old, own] = [source?.before, file.after].map((bytes) => bytes && utf8In(bytes));
      if (old === undefined || own === undefined || (file !== source && old === own)) return [];
      const { accepted, newUri = uri } = decisions.get(uri) ?? {};
      return [{ uri, newUri, before: old, hunks: new Hunks({ before: old, after: own }), accepted: new Set(accepted) }];
    });
    if (!stored || files.length === 0) this.#edits.delete(id);
    else this.#add({ id, source, files, hasMore: files.length < stored.files.length });
    this.#refresh();
  }

  /** Changes a document as one undo step. Its hunks are open from then on. `subject` is what the change is part of. */
  async apply(document: TextDocument, edits: readonly LineEdit[], subject: string): Promise<Edit> {
    const uri = document.uri.toString();
    const before = document.getText();
    const after = withEdits(document, edits).join(eolOf(document));
    const undone = [...this.#edits.values()].filter((edit) => this.#isUndone(edit, document));
    await replace(document, edits, new UserError("codeChanged", { subject }));
    // Applied again, the same change would be marked twice.
    for (const { id } of undone) {
      this.#edits.delete(id);
      this.#write(() => this.#stores.inline.remove(id));
    }
    const file: EditedFile = { uri, newUri: uri, before, hunks: new Hunks({ before, after }), accepted: new Set() };
    const edit: Edit = { id: crypto.randomUUID(), source: "inline", files: [file], hasMore: false };
    this.#add(edit);
    this.#refresh();
    const [old, own] = [before, after].map((text) => new TextEncoder().encode(text));
    if (before.length + after.length <= longestStored) {
      this.#write(() => this.#stores.inline.store(edit.id, [{ uri, before: old, after: own }], "applied"));
    }
    return edit;
  }

  /** Whether nothing of an edit of inline chat is left in its document. */
  #isUndone(edit: Edit, document: TextDocument): boolean {
    const hunks = edit.source === "inline" ? this.hunksOf(edit) : [];
    return hunks.length > 0 && hunks.every((hunk) => hunk.document === document && hunk.state === "undone");
  }

  /** Keeps hunks and removes their highlights. */
  keep(hunks: readonly PlacedHunk[]): void {
    for (const { file, key } of hunks) file.accepted.add(key);
    for (const edit of new Set(hunks.map((hunk) => hunk.edit))) this.#store(edit);
    this.#refresh();
  }

  /** Restores the text from before hunks, in one undo step for each document. */
  async undo(hunks: readonly PlacedHunk[]): Promise<void> {
    for (const [document, own] of Map.groupBy(hunks, (hunk) => hunk.document)) {
      const ids = new Set(own.map(({ id }) => id));
      const now = this.openIn(document).filter(({ id }) => ids.has(id));
      const overlaps = now.some(({ lines }, index) => lines.start < (now[index - 1]?.lines.end ?? 0));
      const changed = new UserError("editChanged", { subject: own[0]?.id ?? "" });
      if (now.length < ids.size || overlaps) throw changed;
      await replace(document, now.map(toBefore), changed);
    }
    this.#refresh();
  }

  /** The lines of the document of a hunk without the open hunks of its edit; the text from before if any have changed. */
  linesBefore({ document, edit, file }: PlacedHunk): readonly string[] {
    const hunks = this.#hunksIn(edit, file);
    if (hunks.some(({ state }) => state === "changed")) return splitLines(file.before.replace(/^\uFEFF/, ""));
    return withEdits(document, inOrder(hunks.filter(isOpen)).map(toBefore));
  }

  /** Waits until what was decided is stored. */
  async stored(): Promise<void> {
    await this.#queue.run(() => Promise.resolve());
  }

  dispose(): void {
    clearTimeout(this.#timer);
    Disposable.from(this.#listeners, this.#changed, this.#decided, this.#accepted).dispose();
  }

  #add(edit: Edit): void {
    this.#edits.delete(edit.id);
    this.#edits.set(edit.id, edit);
    const ofSource = [...this.#edits.values()].filter(({ source }) => source === edit.source);
    for (const { id } of ofSource.slice(0, -mostEdits)) this.#edits.delete(id);
  }

  #note({ uri }: TextDocument): void {
    if (this.uris.includes(uri.toString())) this.#timer ??= setTimeout(this.#refresh, collecting);
  }

  /** Reports what has changed since the last time. */
  readonly #refresh = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const edit of this.#edits.values()) {
      const hunks = this.hunksOf(edit);
      const states = hunks.map(({ id, state }) => `${state} ${id}`).join();
      if (hunks.length > 0 && this.#reported.get(edit) !== states) {
        this.#reported.set(edit, states);
        this.#decided.fire(edit);
      }
      if (isAccepted(edit)) this.#edits.delete(edit.id);
    }
    this.#changed.fire();
  };

  /** The hunks of a file in its document; none if that is not open. */
  #hunksIn(edit: Edit, file: EditedFile): readonly PlacedHunk[] {
    const document = openDocument(Uri.parse(file.newUri, true));
    if (!document) return [];
    const last = this.#found.get(file);
    const [{ version }, { size }] = [document, file.accepted];
    if (last?.document === document && last.version === version && last.size === size) return last.hunks;
    const undone = new Set(last?.hunks.flatMap(({ key, state }) => (state === "undone" ? key : [])));
    const hunks = file.hunks.in(document.getText(), file.accepted).map((hunk): PlacedHunk => {
      // What is typed where a hunk was undone does not bring it back.
      const state = hunk.state === "changed" && undone.has(hunk.key) ? "undone" : hunk.state;
      return { ...hunk, state, id: `${edit.id}/${file.uri}/${hunk.key}`, edit, file, document };
    });
    this.#found.set(file, { document, version, size, hunks });
    return hunks;
  }

  /** Stores what was decided about the hunks of an edit. */
  #store(edit: Edit): void {
    const { id, source, files } = edit;
    const store = this.#stores[source];
    const decisions = files.map(({ uri, newUri, accepted }) => ({ uri, newUri, accepted: [...accepted] }));
    this.#write(async () => {
      if (!isAccepted(edit)) await store.setDecisions(id, decisions);
      else if (source === "inline") await store.remove(id);
      else {
        await store.setStage(id, "accepted");
        this.#accepted.fire(id);
      }
    });
  }

  #rename(from: string, to: string): void {
    for (const edit of this.#edits.values()) {
      const moved = edit.files.filter(({ newUri }) => newUri === from || newUri.startsWith(`${from}/`));
      for (const file of moved) file.newUri = to + file.newUri.slice(from.length);
      if (moved.length > 0) this.#store(edit);
    }
    this.#refresh();
  }

  /** Without a place to store them, hunks are known until the window closes. */
  #write(work: () => Promise<void>): void {
    void this.#queue.run(work).catch(() => undefined);
  }
}

/** Whether the user keeps all that an edit has changed. */
function isAccepted({ files, hasMore }: Edit): boolean {
  return !hasMore && files.every(({ hunks: { keys }, accepted }) => keys.every((key) => accepted.has(key)));
}

function isOpen({ state }: Hunk): boolean {
  return state === "open";
}

function inOrder<H extends Hunk>(hunks: readonly H[]): readonly H[] {
  return hunks.toSorted(({ lines: one }, { lines: other }) => one.start - other.start || one.end - other.end);
}

function toBefore({ lines, before }: Hunk): LineEdit {
  return { ...lines, lines: before };
}
