import { commands, Disposable, languages, window } from "vscode";
import { prefix } from "../../manifest.ts";
import type { AppliedEdits } from "./appliedEdits.ts";
import { HunkDecorations } from "./hunkDecorations.ts";
import { HunkLenses } from "./hunkLenses.ts";

/** Shows open hunks in all editors, and tells keybindings and menus whether the active one has any. */
export function showHunksInEditors(edits: AppliedEdits): Disposable {
  const decorations = new HunkDecorations();
  let isTold = false;
  const tell = (): void => {
    const document = window.activeTextEditor?.document;
    const hasChanges = document !== undefined && edits.openIn(document).length > 0;
    if (hasChanges === isTold) return;
    isTold = hasChanges;
    void commands.executeCommand("setContext", `${prefix}.inlineChat.hasChanges`, hasChanges);
  };
  const show = (): void => {
    for (const editor of window.visibleTextEditors) {
      const open = edits.openIn(editor.document).map(({ hunk }) => hunk);
      decorations.show(editor, open);
    }
    tell();
  };
  return Disposable.from(
    decorations,
    languages.registerCodeLensProvider("*", new HunkLenses(edits)),
    edits.onDidChange(show),
    window.onDidChangeVisibleTextEditors(show),
    window.onDidChangeActiveTextEditor(tell),
  );
}
