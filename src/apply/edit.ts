import { type TextDocument, Uri } from "vscode";
import type { LineEdit } from "../edits/types.ts";
import { splitLines } from "../text/lines.ts";
import { openDocument } from "../ui/openDocument.ts";
import { withEdits } from "./editDocument.ts";
import { type EditedText, type AppliedHunk, Hunks } from "./hunks.ts";

/** Where an edit comes from: inline chat changes documents, `@codex` changes files. */
export type Source = "inline" | "chat";

/** A hunk in an open document. */
export interface PlacedHunk extends AppliedHunk {
  readonly id: string;
  readonly edit: Edit;
  readonly file: EditedFile;
  readonly document: TextDocument;
}

/** What an edit has changed in a file. */
export interface EditedFileData extends EditedText {
  /** The URI of the file when it was changed. */
  readonly uri: string;
  /** The URI of the file now. */
  readonly newUri: string;
  /** The keys of the hunks that the user keeps; by default none. */
  readonly accepted?: Iterable<number> | undefined;
}

/** What inline chat or `@codex` has changed in files. */
export class Edit {
  readonly id: string;
  readonly source: Source;
  readonly files: readonly EditedFile[];
  /** Whether it has created, deleted, or renamed files as well, so that there is more to decide than its hunks. */
  readonly #hasFileOperations: boolean;

  constructor(
    { id, source, hasFileOperations }: Pick<Edit, "id" | "source"> & { readonly hasFileOperations: boolean },
    files: readonly EditedFileData[],
  ) {
    this.id = id;
    this.source = source;
    this.files = files.map((file) => new EditedFile(this, file));
    this.#hasFileOperations = hasFileOperations;
  }

  /** All hunks in open documents, in order. */
  get hunks(): readonly PlacedHunk[] {
    return this.files.flatMap((file) => file.hunks);
  }

  /** Whether the user keeps all that it has changed. */
  get isAccepted(): boolean {
    return !this.#hasFileOperations && this.files.every(({ keys, accepted }) => keys.every((key) => accepted.has(key)));
  }

  /** Whether it has changed only this document, in which nothing of it remains. */
  isUndoneIn(document: TextDocument): boolean {
    const { hunks } = this;
    return hunks.length > 0 && hunks.every((hunk) => hunk.document === document && hunk.state === "undone");
  }
}

/** A file that an edit has changed. */
export class EditedFile {
  readonly uri: string;
  newUri: string;
  /** The keys of the hunks that the user keeps. */
  readonly accepted: Set<number>;
  readonly #edit: Edit;
  readonly #before: string;
  readonly #hunks: Hunks;
  /** The hunks as they were found last, for a version of the document and a number of accepted hunks. */
  #cache: { document: TextDocument; version: number; size: number; hunks: readonly PlacedHunk[] } | undefined;

  constructor(edit: Edit, { uri, newUri, before, after, accepted = [] }: EditedFileData) {
    this.#edit = edit;
    this.uri = uri;
    this.newUri = newUri;
    this.accepted = new Set(accepted);
    this.#before = before;
    this.#hunks = new Hunks({ before, after });
  }

  /** The lines that its document had before the edit. */
  get originalLines(): readonly string[] {
    return splitLines(this.#before.replace(/^\uFEFF/, ""));
  }

  /** The keys of all hunks. */
  get keys(): readonly number[] {
    return this.#hunks.keys;
  }

  /** The hunks in its document; none if that is not open. */
  get hunks(): readonly PlacedHunk[] {
    const document = openDocument(Uri.parse(this.newUri, true));
    if (!document) return [];
    const last = this.#cache;
    const [{ version }, { size }] = [document, this.accepted];
    if (last?.document === document && last.version === version && last.size === size) return last.hunks;
    const undone = new Set(last?.hunks.flatMap(({ key, state }) => (state === "undone" ? key : [])));
    const hunks = this.#hunks.locate(document.getText(), this.accepted).map((hunk): PlacedHunk => {
      // A hunk that was undone stays undone, whatever the user types there.
      const state = hunk.state === "changed" && undone.has(hunk.key) ? "undone" : hunk.state;
      return { ...hunk, state, id: `${this.#edit.id}/${this.uri}/${hunk.key}`, edit: this.#edit, file: this, document };
    });
    this.#cache = { document, version, size, hunks };
    return hunks;
  }

  /** The lines of its document without its open hunks; the text from before the edit if any have changed. */
  linesBefore(document: TextDocument): readonly string[] {
    const { hunks } = this;
    if (hunks.some(({ state }) => state === "changed")) return this.originalLines;
    return withEdits(document, inOrder(hunks.filter(isOpen)).map(revertOf));
  }
}

export function isOpen({ state }: AppliedHunk): boolean {
  return state === "open";
}

/** Hunks from top to bottom. */
export function inOrder<H extends AppliedHunk>(hunks: readonly H[]): readonly H[] {
  return hunks.toSorted(({ lines: one }, { lines: other }) => one.start - other.start || one.end - other.end);
}

/** The edit that reverts a hunk. */
export function revertOf({ lines, before, file, document }: PlacedHunk): LineEdit {
  // An empty document does not show whether its last line ended with a newline.
  return document.getText() === "" ? { start: 0, end: 1, lines: file.originalLines } : { ...lines, lines: before };
}
