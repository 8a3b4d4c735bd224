import {
  commands,
  Range,
  TabInputText,
  TabInputTextDiff,
  type TextDocument,
  type TextEditor,
  TextEditorRevealType,
  type Uri,
  ViewColumn,
  window,
  workspace,
} from "vscode";
import type { LineRange } from "../text/lineRange.ts";
import { cellScheme } from "./openDocument.ts";

/** Lines of a document. */
export interface DocumentLines {
  readonly document: TextDocument;
  readonly lines: LineRange;
}

/** The range of whole lines, without the line break of the last. */
export function rangeOf(document: TextDocument, { start, end }: LineRange): Range {
  const last = Math.min(Math.max(start, end - 1), document.lineCount - 1);
  return new Range(Math.min(start, last), 0, last, document.lineAt(last).text.length);
}

/** The active editor of code. While an input of a conversation has the focus, that is the active one (seen in VS Code 1.139). */
export function codeEditor(): TextEditor | undefined {
  const active = window.activeTextEditor;
  if (active?.document.uri.scheme !== "comment") return active;
  const { viewColumn } = window.tabGroups.activeTabGroup;
  return window.visibleTextEditors.find((editor) => editor !== active && editor.viewColumn === viewColumn);
}

/** Whether lines are visible in the active editor, or in a diff of their document there. */
export function isInView({ document, lines }: DocumentLines): boolean {
  // The next line counts too: a long conversation is shown between the two and may hide the lines themselves.
  const range = rangeOf(document, { start: lines.start, end: Math.min(lines.end + 1, document.lineCount) });
  return editorsInFront(document.uri.toString()).some(
    (editor) =>
      editor.document === document && editor.visibleRanges.some((visible) => visible.intersection(range) !== undefined),
  );
}

/** The active editor, or both sides of a diff opened by Show Diff. */
function editorsInFront(uri: string): readonly TextEditor[] {
  const shown = window.tabGroups.activeTabGroup.activeTab?.input;
  const sides = shown instanceof TabInputTextDiff ? [shown.original, shown.modified] : [];
  if (sides.some((side) => side.toString() === uri)) return window.visibleTextEditors;
  const editor = codeEditor();
  return editor ? [editor] : [];
}

/** Shows lines in the active editor, in which their document is opened again if necessary. Returns this editor. */
export async function revealLines(shown: DocumentLines): Promise<TextEditor | undefined> {
  const range = rangeOf(shown.document, shown.lines);
  if (window.activeTextEditor?.document !== shown.document) await showInTextEditor(shown.document.uri, range);
  const editor = window.activeTextEditor;
  if (editor?.document !== shown.document) return undefined;
  editor.revealRange(range, TextEditorRevealType.InCenterIfOutsideViewport);
  return editor;
}

/**
 * Shows a document in a text editor, which can have comment threads. VS Code shows none in notebooks (seen in VS Code 1.139),
 * so a cell opens in an editor beside its notebook; both share one document.
 */
export async function showInTextEditor(uri: Uri, selection?: Range): Promise<TextDocument> {
  if (uri.scheme !== cellScheme) return (await window.showTextDocument(uri)).document;
  const shown = window.tabGroups.activeTabGroup.activeTab?.input;
  const isShown = shown instanceof TabInputText && shown.uri.toString() === uri.toString();
  const options = { viewColumn: ViewColumn.Beside, ...(selection && { selection }) };
  if (!isShown) await commands.executeCommand("vscode.openWith", uri, "default", options);
  return await workspace.openTextDocument(uri);
}

/** Returns focus to the editor. Read the code afterwards, because the user may type in the meantime. */
export async function focusEditor(): Promise<void> {
  await commands.executeCommand("workbench.action.focusActiveEditorGroup");
}
