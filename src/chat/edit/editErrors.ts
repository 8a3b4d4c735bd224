import { type Command, commands, Disposable, l10n, window } from "vscode";
import type { EditStore } from "../../apply/editStore.ts";
import { participantName, prefix } from "../../manifest.ts";
import type { ErrorWatch } from "../../problems/errorWatch.ts";
import type { LinkNotification } from "../../ui/linkNotification.ts";
import { shownPath } from "./editTexts.ts";

/** Maximum number of errors that a question names. */
const maxNamed = 20;

/**
 * Shows in a notification how many errors edits have caused, with Fix, as long as there are any. Closes the current
 * notification once the last hunk of an edit is kept.
 */
export function showErrors(edits: EditStore, notice: LinkNotification): Disposable {
  const errors = edits.errors.chat;
  let shown: { readonly id: string; readonly end: () => void } | undefined;
  const showCount = errors.onDidChange(({ id, delta }) => {
    const { length } = errors.of(id);
    const isShown = shown?.id === id && notice.shows(shown.end);
    if (length === 0 && isShown) notice.end();
    // What the user fixes is not reported again.
    if (length === 0 || (delta <= 0 && !isShown)) return;
    const end = notice.show(errorCount(length), [
      { title: l10n.t("Fix"), command: `${prefix}.fixEdit`, arguments: [id] },
      ...keepOrUndo(id),
    ]);
    shown = { id, end };
  });
  const endIfAccepted = async (id: string): Promise<void> => {
    if ((await edits.stateOf(id)) === "accepted") notice.end();
  };
  const endAccepted = edits.onDidStore((id) => {
    // If the stored edit cannot be read, the notification ends by itself.
    if (id !== undefined) endIfAccepted(id).catch(() => undefined);
  });
  return Disposable.from(showCount, endAccepted);
}

/** The links for an applied edit. */
export function keepOrUndo(id: string): readonly Command[] {
  return [
    { title: l10n.t("Keep"), command: `${prefix}.keepEdit`, arguments: [id] },
    { title: l10n.t("Undo"), command: `${prefix}.undoEdit`, arguments: [id] },
  ];
}

export function errorCount(count: number): string {
  return count === 1 ? l10n.t("1 new problem since the edit.") : l10n.t("{0} new problems since the edit.", count);
}

/** Asks `@codex` to fix the errors that an edit has caused, by default the last such edit. */
export async function fixErrors(errors: ErrorWatch, id = errors.changes.at(-1)): Promise<void> {
  const found = id === undefined ? [] : errors.of(id);
  if (found.length === 0) {
    void window.showInformationMessage(l10n.t("The change introduced no new problems."));
    return;
  }
  const places = found.slice(0, maxNamed).map(({ uri, line }) => `${shownPath(uri.toString())}:${line + 1}`);
  // Their messages are sent with every question about these files.
  const question = l10n.t("Fix the new problems: {0}", [...new Set(places)].join(", "));
  await commands.executeCommand("workbench.action.chat.open", {
    query: `@${participantName} /fix ${question}`,
    attachFiles: [...new Map(found.map(({ uri }) => [uri.toString(), uri])).values()],
  });
}
