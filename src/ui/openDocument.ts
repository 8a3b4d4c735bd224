import { type TextDocument, type Uri, workspace } from "vscode";

/** The document of a file that VS Code has open, in an editor or without one. */
export function openDocument(uri: Uri): TextDocument | undefined {
  return workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}
