import { commands, TabInputTextDiff, type TextEditor, TextEditorRevealType, window } from "vscode";
import { rangeOf } from "./documentCode.ts";
import type { InlineThread } from "./inlineThread.ts";
import { showForThreads } from "./notebookCell.ts";

type Place = Pick<InlineThread, "document" | "lines">;

/** Whether the user sees lines that a conversation is about, in the editor in front or in a diff of their document there. */
export function isInView({ document, lines }: Place): boolean {
  // A long conversation stands between its lines and the next one, and may leave room for that one only.
  const range = rangeOf(document, { start: lines.start, end: Math.min(lines.end + 1, document.lineCount) });
  return editorsInFront(document.uri.toString()).some(
    (editor) =>
      editor.document === document && editor.visibleRanges.some((visible) => visible.intersection(range) !== undefined),
  );
}

/** Shows the lines that a conversation is about. */
export async function bringIntoView({ document, lines }: Place): Promise<void> {
  const range = rangeOf(document, lines);
  await showForThreads(document.uri, range);
  const editor = window.activeTextEditor;
  if (editor?.document === document) editor.revealRange(range, TextEditorRevealType.InCenterIfOutsideViewport);
}

/** The active editor; both sides where it is a diff from the document, as Show Diff opens it. */
function editorsInFront(uri: string): readonly TextEditor[] {
  const shown = window.tabGroups.activeTabGroup.activeTab?.input;
  if (shown instanceof TabInputTextDiff && shown.original.toString() === uri) return window.visibleTextEditors;
  return window.activeTextEditor ? [window.activeTextEditor] : [];
}

/** The keyboard goes back to the code, since what it was in is gone. Code is to be read afterwards: users type meanwhile. */
export async function focusEditor(): Promise<void> {
  await commands.executeCommand("workbench.action.focusActiveEditorGroup");
}
