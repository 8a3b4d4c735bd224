import {
  commands,
  type NotebookCell,
  type Range,
  TabInputText,
  type TextDocument,
  type Uri,
  ViewColumn,
  window,
  workspace,
} from "vscode";

/** The scheme of the documents that are cells of a notebook. */
const cellScheme = "vscode-notebook-cell";

/** The cell that a document is, if it is one. */
export function cellOf(document: TextDocument): NotebookCell | undefined {
  if (document.uri.scheme !== cellScheme) return undefined;
  const cells = workspace.notebookDocuments.flatMap((notebook) => notebook.getCells());
  return cells.find((cell) => cell.document === document);
}

/**
 * Shows a document where it can have threads. A cell is shown in a text editor beside its notebook, in which VS Code shows
 * none; both are the same document.
 */
export async function showForThreads(uri: Uri, selection?: Range): Promise<TextDocument> {
  if (uri.scheme !== cellScheme) return (await window.showTextDocument(uri)).document;
  const shown = window.tabGroups.activeTabGroup.activeTab?.input;
  const isShown = shown instanceof TabInputText && shown.uri.toString() === uri.toString();
  const place = { viewColumn: ViewColumn.Beside, ...(selection && { selection }) };
  if (!isShown) await commands.executeCommand("vscode.openWith", uri, "default", place);
  return await workspace.openTextDocument(uri);
}
