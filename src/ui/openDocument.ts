import {
  type NotebookCell,
  TabInputCustom,
  TabInputNotebook,
  TabInputText,
  type TextDocument,
  type Uri,
  window,
  workspace,
} from "vscode";

/** The open document of a file, with or without an editor. */
export function openDocument(uri: Uri): TextDocument | undefined {
  return workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}

/** URI scheme of notebook cell documents (VS Code 1.139). */
export const cellScheme = "vscode-notebook-cell";

/** The cell of an open notebook; `undefined` for other documents. */
export function cellOf(uri: Uri): NotebookCell | undefined {
  if (uri.scheme !== cellScheme) return undefined;
  const cells = workspace.notebookDocuments.flatMap((notebook) => notebook.getCells());
  return cells.find(({ document }) => document.uri.toString() === uri.toString());
}

/** The files that the user has opened in text editors. */
export function urisInTabs(): readonly Uri[] {
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.flatMap(({ input }) => (input instanceof TabInputText ? [input.uri] : []));
}

/** Whether a file has unsaved changes in an editor whose text extensions cannot read, such as a notebook. */
export function hasUnsavedEditor(uri: Uri): boolean {
  if (openDocument(uri)?.isDirty) return false;
  const isOf = (other: Uri): boolean => other.toString() === uri.toString();
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs);
  return (
    workspace.notebookDocuments.some((notebook) => notebook.isDirty && isOf(notebook.uri)) ||
    tabs.some(
      ({ isDirty, input }) =>
        isDirty && (input instanceof TabInputCustom || input instanceof TabInputNotebook) && isOf(input.uri),
    )
  );
}
