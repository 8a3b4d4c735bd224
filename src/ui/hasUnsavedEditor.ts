import { TabInputCustom, TabInputNotebook, type Uri, window, workspace } from "vscode";
import { openDocument } from "./openDocument.ts";

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
