import { commands, l10n, window, workspace } from "vscode";
import { ChangedSinceError } from "../../apply/applyChange.ts";
import { UserError } from "../../failures/userError.ts";
import { prefix } from "../../manifest.ts";
import type { IgnoredFiles } from "../context/find/findContext.ts";
import type { EditRecords } from "./editRecords.ts";
import { confirmApply } from "./confirmApply.ts";
import { refusedPlaces } from "./mayChange.ts";
import { placesOf } from "./proposeEdit.ts";
import type { ProposedFile } from "./proposedFiles.ts";
import { refusalTexts } from "./editTexts.ts";
import { ReviewView } from "./reviewView.ts";
import { shownPath } from "./workspacePaths.ts";

/** An edit, and the position of a file of it, as buttons and links pass them. */
interface EditTarget {
  readonly id: string;
  readonly index: number | undefined;
}

/** What is needed to act on edits. */
export interface EditActionServices {
  readonly records: EditRecords;
  readonly ignoredFiles: IgnoredFiles;
}

/** What users do with the edits that `@codex` proposes. Arguments are untrusted. */
export class EditActions {
  readonly view: ReviewView;
  readonly #records: EditRecords;
  readonly #ignoredFiles: IgnoredFiles;
  /** The edit that is being written, so that a second click does nothing. */
  #isWriting = false;

  constructor({ records, ignoredFiles }: EditActionServices) {
    this.#records = records;
    this.#ignoredFiles = ignoredFiles;
    this.view = new ReviewView(records);
  }

  /** Shows all files of an edit, or one. */
  async review(argument: unknown): Promise<void> {
    const { id, index } = readTarget(argument);
    const files = await this.#filesOf(id);
    const file = index === undefined ? undefined : files[index];
    if (file && index !== undefined) await this.view.showOne(id, file, index);
    else await this.view.showAll(id, files);
  }

  /** Leaves a file out of an edit, or takes it in again. */
  async skip(argument: unknown): Promise<void> {
    const { id, index } = readTarget(argument);
    const file = (await this.#filesOf(id))[index ?? -1];
    if (!file || index === undefined) throw new UserError("editGone");
    const state = await this.#records.stateOf(id);
    if (state === "applied" || state === "accepted") {
      tell(l10n.t("This edit is already applied."));
      return;
    }
    await this.#records.setSkipped(id, index, true);
    const again = l10n.t("Include");
    const text = l10n.t("Skipped: {0}. Apply leaves this file as it is.", shownPath(file.uri));
    void window.showInformationMessage(text, again).then(async (chosen) => {
      if (chosen === again) await this.#records.setSkipped(id, index, false);
    });
  }

  /** Writes the files of an edit that are not skipped, all or none. */
  async apply(argument: unknown): Promise<void> {
    const { id } = readTarget(argument);
    if (!workspace.isTrusted) throw new UserError("editRestricted");
    const all = await this.#filesOf(id);
    const state = await this.#records.stateOf(id);
    if (state === "applied" || state === "accepted") {
      tell(l10n.t("This edit is already applied."));
      return;
    }
    const skipped = await this.#records.skippedOf(id);
    const files = all.filter((_, index) => !skipped.has(index));
    if (files.length === 0) {
      tell(l10n.t("All files of this edit are skipped."));
      return;
    }
    if (this.#isWriting || !(await confirmApply(files))) return;
    this.#isWriting = true;
    try {
      await this.#write(id, files);
    } finally {
      this.#isWriting = false;
    }
    const count = files.length;
    const text =
      count === 1 ? l10n.t("Changed: {0}", shownPath(firstUri(files))) : l10n.t("{0} files were changed.", count);
    void this.#offerUndo(id, text);
  }

  /** Takes an edit back: the given one, or the last. */
  async undo(argument: unknown): Promise<void> {
    const id = argument === undefined ? await this.#records.lastApplied() : readTarget(argument).id;
    const undone = id === undefined ? undefined : await this.#guardWrite(() => this.#undo(id));
    if (!undone) {
      tell(l10n.t("There is no applied edit to undo."));
      return;
    }
    if (undone.changed.length === 0) {
      tell(l10n.t("The edit was undone."));
      return;
    }
    const names = undone.changed.map(shownPath).join(", ");
    const text = undone.isNothing
      ? l10n.t("Nothing was undone, because these files have changed since: {0}", names)
      : l10n.t("The edit was undone, except in files that have changed since: {0}", names);
    void window.showWarningMessage(text);
  }

  /** Keeps an applied edit for good: the given one, or the last. */
  async keep(argument: unknown): Promise<void> {
    const id = argument === undefined ? await this.#records.lastApplied() : readTarget(argument).id;
    const isKept = id !== undefined && (await this.#records.accept(id));
    tell(isKept ? l10n.t("The edit is kept.") : l10n.t("There is no applied edit to keep."));
  }

  async #undo(id: string): ReturnType<EditRecords["undo"]> {
    if (!workspace.isTrusted) throw new UserError("editRestricted");
    return await this.#records.undo(id);
  }

  async #write(id: string, files: readonly ProposedFile[]): Promise<void> {
    const changes = files.flatMap((file) => file.changes);
    const [refused] = await refusedPlaces(placesOf(changes), this.#ignoredFiles);
    if (refused) {
      const [uri, kind] = refused;
      throw new UserError("editRefused", { subject: `${shownPath(uri.toString())}: ${refusalTexts[kind]()}` });
    }
    await this.#guardWrite(() => this.#records.apply(id, files));
  }

  async #guardWrite<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      if (cause instanceof UserError) throw cause;
      if (cause instanceof ChangedSinceError) {
        throw new UserError("editChangedSince", { subject: cause.uris.map(shownPath).join(", "), cause });
      }
      throw new UserError("editNotWritten", { subject: cause instanceof Error ? cause.message : "", cause });
    }
  }

  async #filesOf(id: string): Promise<readonly ProposedFile[]> {
    const files = await this.#records.filesOf(id);
    if (!files) throw new UserError("editGone");
    return files;
  }

  async #offerUndo(id: string, text: string): Promise<void> {
    const [undo, keep] = [l10n.t("Undo"), l10n.t("Keep")];
    const chosen = await window.showInformationMessage(text, keep, undo);
    if (chosen === undo) await commands.executeCommand(`${prefix}.undoEdit`, id);
    if (chosen === keep) await commands.executeCommand(`${prefix}.keepEdit`, id);
  }
}

function tell(text: string): void {
  void window.showInformationMessage(text);
}

function firstUri([first]: readonly ProposedFile[]): string {
  return first?.newUri ?? first?.uri ?? "";
}

/** Reads `<id>` or `<id>/<position>`. The store accepts only ids of its own. */
function readTarget(argument: unknown): EditTarget {
  const [id = "", index] = typeof argument === "string" ? argument.split("/") : [];
  if (id === "") throw new UserError("editGone");
  return { id, index: index === undefined ? undefined : Number(index) };
}
