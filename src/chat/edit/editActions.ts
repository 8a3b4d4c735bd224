import { commands, l10n, Uri, window, workspace } from "vscode";
import { ChangedSinceError, type LeftAlone } from "../../apply/applyChange.ts";
import { UserError } from "../../failures/userError.ts";
import { prefix } from "../../manifest.ts";
import type { FileGate } from "../../reading/fileGate.ts";
import { OneAtATime } from "../../text/oneAtATime.ts";
import { filesThatRunCode } from "../../ui/filesThatRunCode.ts";
import type { EditRecords } from "./editRecords.ts";
import { refusalTexts, shownPath } from "./editTexts.ts";
import { refusedPlaces, whyNotUndone } from "./mayChange.ts";
import { placesOf } from "./proposeChange.ts";
import type { ProposedFile } from "./proposedFiles.ts";
import type { RefusalKind } from "./resolveAnswer.ts";
import { ReviewView } from "./editView.ts";

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

/** Maximum number of names in a list; the rest are counted. */
const mostNames = 20;

/** Asks before an edit deletes files, or changes those that can run code without being started. */
async function confirmApply(files: readonly ProposedFile[]): Promise<boolean> {
  const deleted = files.filter(({ kind }) => kind === "delete").map(({ uri }) => uri);
  const changed = await filesThatRunCode(files.flatMap(({ changes }) => changes.map(({ uri }) => uri)));
  const reasons = [
    { uris: deleted, text: deletionText(deleted.length) },
    {
      uris: changed.filter((uri) => !deleted.includes(uri)),
      text: l10n.t(
        "This edit changes dotfiles, configuration, or build files, which can run code without being started.",
      ),
    },
  ].filter(({ uris }) => uris.length > 0);
  if (reasons.length === 0) return true;
  const confirm = deleted.length > 0 ? l10n.t("Apply and Delete") : l10n.t("Apply");
  const [first, ...others] = reasons.map(({ uris, text }) => ({ text, names: listed(uris) }));
  const detail = [...(first?.names ?? []), ...others.flatMap(({ text, names }) => ["", text, ...names])].join("\n");
  return (await window.showWarningMessage(first?.text ?? "", { modal: true, detail }, confirm)) === confirm;
}

function listed(uris: readonly string[]): readonly string[] {
  const more = uris.length - mostNames;
  return [...uris.slice(0, mostNames).map(shownPath), ...(more > 0 ? [l10n.t("and {0} more", more)] : [])];
}

function deletionText(count: number): string {
  return count === 1 ? l10n.t("This edit deletes a file.") : l10n.t("This edit deletes {0} files.", count);
}

/** An edit, and the position of a file of it, as buttons and links pass them. */
interface EditTarget {
  readonly id: string;
  readonly index: number | undefined;
}

/** Reads `<id>` or `<id>/<position>`. The store accepts only ids of its own. */
function readTarget(argument: unknown): EditTarget {
  const [id = "", index] = typeof argument === "string" ? argument.split("/") : [];
  if (id === "") throw new UserError("editGone");
  return { id, index: index === undefined ? undefined : Number(index) };
}

/** What the commands for edits need. */
export interface EditCommandServices {
  readonly editActions: EditActions;
}

type Command = (services: EditCommandServices, argument?: unknown) => Promise<void>;

/** The commands for edits of several files. Buttons pass the id of their edit, links with the position of a file. */
export const editCommands = {
  applyEdit: ({ editActions }, argument) => editActions.apply(argument),
  reviewEdit: ({ editActions }, argument) => editActions.review(argument),
  skipFile: ({ editActions }, argument) => editActions.skip(argument),
  undoEdit: ({ editActions }, argument) => editActions.undo(argument),
  keepEdit: ({ editActions }, argument) => editActions.keep(argument),
} satisfies Record<string, Command>;

/**
 * Takes back edits that an earlier window could not finish writing, as far as Undo may, and tells the user. In Restricted
 * Mode, this waits until the workspace is trusted.
 */
export async function mendEdits(records: Pick<EditRecords, "mend">, isTrusted = workspace.isTrusted): Promise<void> {
  if (!isTrusted) return;
  tellMended(await records.mend(async (uri) => (await whyNotUndone(Uri.parse(uri, true))) === undefined));
}

function tellMended(mended: readonly LeftAlone[]): void {
  if (mended.length === 0) return;
  const changed = mended.flatMap((one) => one.changed);
  if (changed.length === 0) {
    void window.showInformationMessage(
      l10n.t("VS Code closed while an edit by Codex was being written. The files are as before the edit."),
    );
    return;
  }
  const names = changed.map(shownPath).join(", ");
  void window.showWarningMessage(
    l10n.t(
      "VS Code closed while an edit by Codex was being written. The files are as before the edit, except for those that have changed since: {0}",
      names,
    ),
  );
}
