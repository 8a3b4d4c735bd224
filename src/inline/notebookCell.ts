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

/** URI scheme of notebook cell documents (VS Code 1.139). */
const cellScheme = "vscode-notebook-cell";

/** The notebook cell of a document, if any. */
export function cellOf(document: TextDocument): NotebookCell | undefined {
  if (document.uri.scheme !== cellScheme) return undefined;
  const cells = workspace.notebookDocuments.flatMap((notebook) => notebook.getCells());
  return cells.find((cell) => cell.document === document);
}

/**
 * Shows a document in an editor that supports comment threads. VS Code shows none in notebooks (seen in VS Code 1.139),
 * so a cell opens in a text editor beside its notebook; both share one document.
 */
export async function showForThreads(uri: Uri, selection?: Range): Promise<TextDocument> {
  if (uri.scheme !== cellScheme) return (await window.showTextDocument(uri)).document;
  const shown = window.tabGroups.activeTabGroup.activeTab?.input;
  const isShown = shown instanceof TabInputText && shown.uri.toString() === uri.toString();
  const place = { viewColumn: ViewColumn.Beside, ...(selection && { selection }) };
  if (!isShown) await commands.executeCommand("vscode.openWith", uri, "default", place);
  return await workspace.openTextDocument(uri);
}
