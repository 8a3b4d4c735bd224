import { setTimeout } from "node:timers/promises";
import {
  commands,
  type DocumentSymbol,
  type NotebookCell,
  Range,
  TabInputCustom,
  TabInputNotebook,
  TabInputText,
  type TextDocument,
  type Uri,
  window,
  workspace,
} from "vscode";
import { asArray, asObject } from "../base/json.ts";

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

/** A symbol of a document, with those inside it. */
export type Declaration = Pick<DocumentSymbol, "name" | "range" | "children">;

/** The symbols of a document; none if its language service fails or takes longer than `timeout` milliseconds. */
export async function declarationsIn(uri: Uri, timeout: number): Promise<readonly Declaration[]> {
  const symbols = commands.executeCommand("vscode.executeDocumentSymbolProvider", uri);
  const found = await Promise.race([symbols, setTimeout(timeout)]).catch(() => undefined);
  return asArray(found).filter(isDeclaration);
}

/**
 * VS Code returns no instances of `DocumentSymbol` (https://github.com/microsoft/vscode/issues/57984). The `SymbolInformation` of
 * some language services is left out: its range need not span the whole symbol (Language Server Protocol 3.17).
 */
function isDeclaration(symbol: unknown): symbol is Declaration {
  const { name, range, children } = asObject(symbol) ?? {};
  return typeof name === "string" && range instanceof Range && Array.isArray(children);
}
