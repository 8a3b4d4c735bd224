import { Disposable, window } from "vscode";
import { OneAtATime } from "../base/oneAtATime.ts";
import { ContextKeys } from "../ui/contextKeys.ts";
import type { EditStore } from "./editStore.ts";

/** Sets the context keys of edits, which keybindings, menus and the command palette depend on. */
export function setContextKeys(edits: EditStore): Disposable {
  const keys = new ContextKeys();
  const queue = new OneAtATime();
  const updateHunks = (): void => {
    const document = window.activeTextEditor?.document;
    keys.set("inlineChat.hasChanges", document !== undefined && edits.openIn(document).length > 0);
  };
  const updateErrors = (): void => {
    keys.set("edit.hasErrors", edits.errors.chat.changes.length > 0);
  };
  const updateProposals = (): void => {
    const read = queue.run(async () => {
      const { lastProposed: id } = edits;
      keys.set("edit.isProposed", id !== undefined && ["proposed", "undone"].includes(await edits.stateOf(id)));
      keys.set("edit.isApplied", (await edits.lastApplied()) !== undefined);
    });
    // Commands for edits that cannot be read are not offered.
    void read.catch(() => undefined);
  };
  updateHunks();
  return Disposable.from(
    edits.onDidChange(updateHunks),
    window.onDidChangeActiveTextEditor(updateHunks),
    edits.errors.chat.onDidChange(updateErrors),
    edits.onDidStore(updateProposals),
  );
}
