import { TabInputNotebook, TabInputText, type TextDocument, type Uri, window } from "vscode";
import { isExcluded } from "../settings/excludedFiles.ts";
import { isSecretFile } from "../text/secretFiles.ts";

/**
 * The documents that completions are for, by scheme. Inputs of chats and comments, outputs, and the older side of diffs
 * have others.
 */
export const schemes = ["file", "untitled", "vscode-remote", "vscode-notebook-cell"];

/** Whether completions may be shown in a document: only in the editor in front, and only where nothing is secret. */
export function isAllowedEditor(document: TextDocument): boolean {
  const { uri } = document;
  return schemes.includes(uri.scheme) && isInFront(uri) && !isPrivate(document);
}

/** Whether a document holds secrets by its name, or the workspace excludes it from view or search. */
export function isPrivate(document: TextDocument): boolean {
  return isSecretFile(document.uri.path) || isExcluded(document.uri, "files", "search");
}

/** Whether the tab in front is a plain editor of a document. Diff and merge editors, and peek views in others, are not. */
function isInFront(uri: Uri): boolean {
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof TabInputNotebook) return input.uri.path === uri.path;
  return input instanceof TabInputText && input.uri.toString() === uri.toString();
}
