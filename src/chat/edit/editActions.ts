import { l10n, Uri, window, workspace } from "vscode";
import { ChangedSinceError } from "../../apply/applyChange.ts";
import { runOwn } from "../../failures/actions.ts";
import { UserError } from "../../failures/userError.ts";
import { prefix } from "../../manifest.ts";
import type { FileGate } from "../../reading/fileGate.ts";
import { filesThatRunCode } from "../../ui/filesThatRunCode.ts";
import type { LinkNotification } from "../../ui/linkNotification.ts";
import { showMessage } from "../../ui/showMessage.ts";
import { fixErrors, keepOrUndo } from "./editErrors.ts";
import type { EditStore } from "../../apply/editStore.ts";
import { type FileState, isUnwritten } from "../../apply/fileStates.ts";
import { shownName, shownPath } from "./editTexts.ts";
import { reviewAll, reviewOne, showEdit } from "./editView.ts";
import { refusedFiles, whyNotUndone } from "./mayChange.ts";
import { type DiskChange, newUriOf, urisOf } from "../../apply/diskChange.ts";
import { type RefusalKind, refusalTexts } from "../../apply/refusalTexts.ts";

/** What the commands for edits need. */
export interface EditCommandServices {
  readonly editing: {
    readonly edits: EditStore;
    readonly gate: FileGate;
    readonly notice: LinkNotification;
  };
}

type Command = (services: EditCommandServices, argument?: unknown) => Promise<void>;

/** The commands for edits of several files. Buttons pass the id of their edit, links with the position of a file. */
export const editCommands = {
  applyEdit: inTurn(apply),
  reviewEdit: review,
  showEdit: async ({ editing: { edits } }, argument) => {
    const { id } = readTarget(argument ?? edits.lastProposed ?? (await edits.lastApplied()));
    await showEdit(id, await statesOf(edits, id), edits.errors.chat.of(id).length);
  },
  skipFile: inTurn(skip),
  undoEdit: inTurn(undo),
  keepEdit: inTurn(keep),
  fixEdit: ({ editing: { edits } }, argument) =>
    fixErrors(edits.errors.chat, argument === undefined ? undefined : readTarget(argument).id),
} satisfies Record<string, Command>;

/** Runs a command after the previous one is stored, and closes its notification. */
function inTurn(command: Command): Command {
  return (services, argument) =>
    services.editing.edits.queue.run(async () => {
      services.editing.notice.end();
      await command(services, argument);
    });
}

async function review({ editing: { edits } }: EditCommandServices, argument: unknown): Promise<void> {
  const { id, index } = readTarget(argument ?? edits.lastProposed);
  const states = await statesOf(edits, id);
  const one = index === undefined ? undefined : states[index];
  if (one && index !== undefined) await reviewOne(id, one.file, index);
  else await reviewAll(id, states);
}

async function skip({ editing: { edits, notice } }: EditCommandServices, argument: unknown): Promise<void> {
  const { id, index, isIncluded } = readTarget(argument);
  const { file, state } = (await statesOf(edits, id))[index ?? -1] ?? {};
  if (!file || !state || index === undefined) throw new UserError("editGone");
  if (!isUnwritten(state)) {
    // The list in the chat does not show that. Not awaited, because a command that is picked there waits for this one.
    void runOwn("showEdit", id);
    return;
  }
  await edits.setSkipped(id, index, !isIncluded);
  if (isIncluded) return;
  notice.show(l10n.t("Skipped: {0}", shownName(file.uri)), [
    { title: l10n.t("Include"), command: `${prefix}.skipFile`, arguments: [`${id}/${index}/${include}`] },
  ]);
}

/** Writes the files of an edit that are neither skipped nor written, all or none, leaving out those that it no longer fits. */
async function apply({ editing: { edits, gate, notice } }: EditCommandServices, argument: unknown): Promise<void> {
  const { id } = readTarget(argument ?? edits.lastProposed);
  requireTrust();
  const states = await statesOf(edits, id);
  const open = states.filter(({ state }) => state === "proposed" || state === "undone");
  if (open.length === 0) {
    void runOwn("showEdit", id);
    return;
  }
  const blocked = open.flatMap(({ file, blockedBy }) => (blockedBy ? refusalOf(file.uri, blockedBy) : []));
  const files = open.filter(({ blockedBy }) => blockedBy === undefined).map(({ file }) => file);
  const [first] = files;
  if (!first) throw new UserError("editRefused", { subject: blocked.join(" ") });
  await check(files, gate);
  if (!(await confirmApply(files, blocked))) return;
  // The files may have changed in the meantime.
  await check(files, gate);
  await explainWriteErrors(() => edits.apply(id, files));
  if (edits.errors.chat.of(id).length > 0) return;
  const text =
    files.length === 1
      ? l10n.t("Changed: {0}", shownName(newUriOf(first)))
      : l10n.t("{0} files were changed.", files.length);
  const next = { title: l10n.t("Next"), command: `${prefix}.inlineChat.nextChange`, arguments: [id] };
  notice.show(text, [...keepOrUndo(id), ...(edits.urisOf(id).length > 0 ? [next] : [])]);
}

/** Undoes an edit: the given one, or the last. */
async function undo({ editing: { edits, gate } }: EditCommandServices, argument: unknown): Promise<void> {
  const id = await appliedId(edits, argument);
  const result = await explainWriteErrors(async () => {
    requireTrust();
    for (const uri of await edits.writtenBy(id)) {
      const kind = await whyNotUndone(Uri.parse(uri, true), gate);
      if (kind !== undefined) throw new UserError("editRefused", { subject: refusalOf(uri, kind) });
    }
    return await edits.revert(id);
  });
  if (!result) inform(l10n.t("There is no applied edit to undo."));
  else if (result.changed.length === 0) inform(l10n.t("The edit was undone."));
  else {
    const names = result.changed.map(shownName).join(", ");
    const text = result.isRefused
      ? l10n.t("{0}: changed since, so nothing was undone.", names)
      : l10n.t("{0}: changed since. The rest of the edit was undone.", names);
    informWithState(id, text);
  }
}

/** Keeps an applied edit: the given one, or the last. */
async function keep({ editing: { edits } }: EditCommandServices, argument: unknown): Promise<void> {
  const isKept = await edits.accept(await appliedId(edits, argument));
  inform(isKept ? l10n.t("The edit is kept.") : l10n.t("There is no applied edit to keep."));
}

/** The id of the given edit, or of the last that was applied; "" if there is none. */
async function appliedId(edits: EditStore, argument: unknown): Promise<string> {
  return argument === undefined ? ((await edits.lastApplied()) ?? "") : readTarget(argument).id;
}

const include = "include";

/**
 * Reads `<id>`, `<id>/<position>` or `<id>/<position>/include`, which are untrusted, but the store accepts only its own ids.
 */
function readTarget(argument: unknown): {
  readonly id: string;
  readonly index: number | undefined;
  readonly isIncluded: boolean;
} {
  const [id = "", index, verb] = typeof argument === "string" ? argument.split("/") : [];
  if (id === "") throw new UserError("editGone");
  return { id, index: index === undefined ? undefined : Number(index), isIncluded: verb === include };
}

async function statesOf(edits: EditStore, id: string): Promise<readonly FileState[]> {
  const states = await edits.fileStates(id);
  if (states.length === 0) throw new UserError("editGone");
  return states;
}

function requireTrust(): void {
  if (!workspace.isTrusted) throw new UserError("editRestricted");
}

async function check(files: readonly DiskChange[], gate: FileGate): Promise<void> {
  const [refused] = await refusedFiles(files, gate);
  if (refused) throw new UserError("editRefused", { subject: refusalOf(...refused) });
}

function refusalOf(uri: string, kind: RefusalKind): string {
  return `${shownName(uri)}: ${refusalTexts[kind]()}`;
}

async function explainWriteErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof UserError) throw cause;
    if (cause instanceof ChangedSinceError) {
      const subject = cause.uris.map((uri) => refusalOf(uri, "changedSince")).join(" ");
      throw new UserError("editRefused", { subject, cause });
    }
    throw new UserError("editNotWritten", { subject: cause instanceof Error ? cause.message : "", cause });
  }
}

/** Shows the result of an action. With a button, VS Code shows all of a notification, and not only its first line (1.139.1). */
function informWithState(id: string, text: string, isWarning = true): void {
  const button = l10n.t("Show State");
  const shown = isWarning ? window.showWarningMessage(text, button) : window.showInformationMessage(text, button);
  void shown.then((chosen) => chosen === button && runOwn("showEdit", id));
}

function inform(text: string): void {
  void showMessage("Information", text);
}

/** Maximum number of names in a list; the rest are counted. */
const maxNames = 20;

/**
 * Asks before an edit that no longer fits some of its files is applied to the others, and before an edit deletes files or
 * changes files that can run code without being started. `blocked`: the files that it does not fit, with the reasons.
 */
async function confirmApply(files: readonly DiskChange[], blocked: readonly string[]): Promise<boolean> {
  const deleted = files.filter(({ after }) => after === undefined).map(({ uri }) => uri);
  const changed = await filesThatRunCode(files.flatMap(urisOf));
  const rows = [
    ...listed(l10n.t("Some files have changed, so this edit was not applied."), blocked),
    ...(blocked.length > 0
      ? listed(
          l10n.t("It can still be applied to these files only:"),
          files.map((file) => shownPath(newUriOf(file))),
        )
      : []),
    ...listed(
      deleted.length === 1
        ? l10n.t("This edit deletes a file.")
        : l10n.t("This edit deletes {0} files.", deleted.length),
      deleted.map(shownPath),
    ),
    ...listed(
      l10n.t(
        "This edit changes dotfiles, configuration, build files, installed packages, or code that configuration refers to. These can run without you starting them.",
      ),
      changed.filter((uri) => !deleted.includes(uri)).map(shownPath),
    ),
  ];
  const [, question, ...detail] = rows;
  if (question === undefined) return true;
  const confirm = deleted.length > 0 ? l10n.t("Apply and Delete") : l10n.t("Apply");
  return (await window.showWarningMessage(question, { modal: true, detail: detail.join("\n") }, confirm)) === confirm;
}

/** A list of names under its text, with a blank line above; nothing for no names. */
function listed(text: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const more = names.length - maxNames;
  return ["", text, ...names.slice(0, maxNames), ...(more > 0 ? [l10n.t("and {0} more", more)] : [])];
}

/**
 * Reverts edits that an earlier window did not finish, except in files that Undo refuses, and shows the result. Does nothing
 * in a workspace that is not trusted.
 */
export async function recoverEdits(
  { edits, gate }: Pick<EditCommandServices["editing"], "edits" | "gate">,
  isTrusted = workspace.isTrusted,
): Promise<void> {
  if (!isTrusted) return;
  // In the queue, because an Apply or Undo that this window is running looks unfinished as well.
  const recovered = await edits.queue.run(() =>
    edits.recover(async (uri) => (await whyNotUndone(Uri.parse(uri, true), gate)) === undefined),
  );
  const id = [...recovered.keys()].at(-1);
  if (id === undefined) return;
  const names = [...recovered.values()].flat().map(shownName).join(", ");
  const text =
    names === ""
      ? l10n.t("VS Code closed while an edit by Codex was being written. The edit was reverted.")
      : l10n.t(
          "VS Code closed while an edit by Codex was being written. The edit was reverted, except in {0}, which could not be restored.",
          names,
        );
  informWithState(id, text, names !== "");
}
