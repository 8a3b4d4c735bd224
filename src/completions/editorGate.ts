import { TabInputNotebook, TabInputText, type TextDocument, type Uri, window } from "vscode";
import { isExcluded } from "../reading/excludedFiles.ts";
import { mayHoldSecrets } from "../reading/fileGate.ts";

/** The documents for completions, by scheme. Inputs of chats and comments, outputs, and old sides of diffs have others. */
export const schemes = ["file", "untitled", "vscode-remote", "vscode-notebook-cell"];

/** Whether completions may be shown in a document: only in the editor in front, and only where nothing is secret. */
export async function isAllowedEditor({ uri }: TextDocument): Promise<boolean> {
  const isShown = schemes.includes(uri.scheme) && isInFront(uri) && !isExcluded(uri, "files", "search");
  return isShown && !(await mayHoldSecrets(uri));
}

/** Whether the tab in front is a plain editor of a document. Diff and merge editors, and peek views in others, are not. */
function isInFront(uri: Uri): boolean {
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof TabInputNotebook) return input.uri.path === uri.path;
  return input instanceof TabInputText && input.uri.toString() === uri.toString();
}
