import { TabInputNotebook, TabInputText, type TextDocument, type Uri, window } from "vscode";
import { setTimeout } from "node:timers/promises";
import { isExcluded } from "../reading/excludedFiles.ts";
import { type FileGate, mayHoldSecrets } from "../reading/fileGate.ts";
import { openDocument } from "../ui/openDocument.ts";

/** How long it may take to judge whether files may be sent, in milliseconds. Nobody waits longer for a completion. */
const patience = 200;

/**
 * The documents that completions are for, by scheme. Inputs of chats and comments, outputs, and the older side of diffs
 * have others.
 */
export const schemes = ["file", "untitled", "vscode-remote", "vscode-notebook-cell"];

/** Whether completions may be shown in a document: only in the editor in front, and only where nothing is secret. */
export async function isAllowedEditor({ uri }: TextDocument): Promise<boolean> {
  const isShown = schemes.includes(uri.scheme) && isInFront(uri) && !isExcluded(uri, "files", "search");
  return isShown && !(await mayHoldSecrets(uri));
}

/** The documents of those files that are open and may be sent; none if it takes long to judge. */
export async function sendable(gate: FileGate, uris: readonly Uri[]): Promise<ReadonlyMap<Uri, TextDocument>> {
  const closed = await Promise.race([gate.closed(uris), setTimeout(patience)]).catch(() => undefined);
  return new Map(
    uris.flatMap((uri) => {
      const document = openDocument(uri);
      const isOpen = document !== undefined && closed?.has(uri) === false && !isExcluded(uri, "search");
      return isOpen ? [[uri, document] as const] : [];
    }),
  );
}

/** Whether the tab in front is a plain editor of a document. Diff and merge editors, and peek views in others, are not. */
function isInFront(uri: Uri): boolean {
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof TabInputNotebook) return input.uri.path === uri.path;
  return input instanceof TabInputText && input.uri.toString() === uri.toString();
}
