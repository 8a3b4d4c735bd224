import { commands, l10n, Uri, window, workspace } from "vscode";
import { ChangedSinceError } from "../../apply/applyChange.ts";
import { UserError } from "../../failures/userError.ts";
import { prefix } from "../../manifest.ts";
import type { FileGate } from "../../reading/fileGate.ts";
import { OneAtATime } from "../../text/oneAtATime.ts";
import type { EditRecords } from "./editRecords.ts";
import { confirmApply } from "./confirmApply.ts";
import { refusedPlaces, whyNotUndone } from "./mayChange.ts";
import { placesOf } from "./proposeChange.ts";
import type { ProposedFile } from "./proposedFiles.ts";
import { readTarget } from "./editTarget.ts";
import { refusalTexts } from "./editTexts.ts";
import type { RefusalKind } from "./resolveAnswer.ts";
import { ReviewView } from "./reviewView.ts";
import { shownPath } from "./shownPath.ts";

/** What is needed to act on edits. */
export interface EditActionServices {
  readonly records: EditRecords;
  readonly gate: FileGate;
}

/** What users do with the edits that `@codex` proposes. Arguments are untrusted. */
export class EditActions {
  readonly view: ReviewView;
  readonly #records: EditRecords;
  readonly #gate: FileGate;
  /** What is done is stored before the next click counts. */
  readonly #turns = new OneAtATime();
  /** Edits that are being applied, so that a second click does nothing. */
  readonly #applying = new Set<string>();

  constructor({ records, gate }: EditActionServices) {
    this.#records = records;
    this.#gate = gate;
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
    await this.#turns.run(() => this.#skip(id, index));
  }

  /** Writes the files of an edit that are not skipped, all or none. */
  async apply(argument: unknown): Promise<void> {
    const { id } = readTarget(argument);
    if (this.#applying.has(id)) return;
    this.#applying.add(id);
    try {
      await this.#turns.run(() => this.#apply(id));
    } finally {
      this.#applying.delete(id);
    }
  }

  /** Takes an edit back: the given one, or the last. */
  async undo(argument: unknown): Promise<void> {
    await this.#turns.run(() => this.#undo(argument));
  }

  /** Keeps an applied edit for good: the given one, or the last. */
  async keep(argument: unknown): Promise<void> {
    await this.#turns.run(() => this.#keep(argument));
  }

  async #skip(id: string, index: number | undefined): Promise<void> {
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
      if (chosen === again) await this.#turns.run(() => this.#records.setSkipped(id, index, false));
    });
  }

  async #apply(id: string): Promise<void> {
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
    await this.#check(files);
    if (!(await confirmApply(files))) return;
    // What is there may be different by now.
    await this.#check(files);
    await this.#guardWrite(() => this.#records.apply(id, files));
    const count = files.length;
    const text =
      count === 1 ? l10n.t("Changed: {0}", shownPath(firstUri(files))) : l10n.t("{0} files were changed.", count);
    void this.#offerUndo(id, text);
  }

  async #undo(argument: unknown): Promise<void> {
    const id = argument === undefined ? await this.#records.lastApplied() : readTarget(argument).id;
    const undone = id === undefined ? undefined : await this.#guardWrite(() => this.#takeBack(id));
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

  async #keep(argument: unknown): Promise<void> {
    const id = argument === undefined ? await this.#records.lastApplied() : readTarget(argument).id;
    const isKept = id !== undefined && (await this.#records.accept(id));
    tell(isKept ? l10n.t("The edit is kept.") : l10n.t("There is no applied edit to keep."));
  }

  async #takeBack(id: string): ReturnType<EditRecords["undo"]> {
    if (!workspace.isTrusted) throw new UserError("editRestricted");
    for (const uri of await this.#records.urisOf(id)) {
      const kind = await whyNotUndone(Uri.parse(uri, true));
      if (kind !== undefined) throw refusal(uri, kind);
    }
    return await this.#records.undo(id);
  }

  /** Throws if one of the files must not be changed. */
  async #check(files: readonly ProposedFile[]): Promise<void> {
    const changes = files.flatMap((file) => file.changes);
    const [refused] = await refusedPlaces(placesOf(changes), this.#gate);
    if (refused) throw refusal(refused[0].toString(), refused[1]);
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

function refusal(uri: string, kind: RefusalKind): UserError {
  return new UserError("editRefused", { subject: `${shownPath(uri)}: ${refusalTexts[kind]()}` });
}

function tell(text: string): void {
  void window.showInformationMessage(text);
}

function firstUri([first]: readonly ProposedFile[]): string {
  return first?.newUri ?? first?.uri ?? "";
}
