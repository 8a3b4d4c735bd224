import { Disposable, TabInputNotebook, TabInputText, type TextDocument, type Uri, window, workspace } from "vscode";
import { isExcluded } from "../reading/excludeSettings.ts";
import type { DenialReason, FileGate } from "../reading/fileGate.ts";

/** The URI schemes of documents with completions. Inputs of chats and comments, output, and the old sides of diffs have others. */
export const schemes = ["file", "untitled", "vscode-remote", "vscode-notebook-cell"];

/** How long a decision is cached, in milliseconds: other programs can change it, for example with a new `.gitignore`. */
const lifetime = 10_000;

/** Decides which documents may be sent. As typing needs many decisions, they are cached for a short time. */
export class EditorGate implements Disposable {
  readonly #gate: Pick<FileGate, "denied">;
  readonly #now: () => number;
  #decisions = new WeakMap<
    TextDocument,
    { readonly time: number; readonly denial: Promise<DenialReason | undefined> }
  >();
  readonly #listeners: Disposable;

  constructor(gate: Pick<FileGate, "denied">, now = (): number => performance.now()) {
    this.#gate = gate;
    this.#now = now;
    const forget = (): void => {
      this.#decisions = new WeakMap();
    };
    this.#listeners = Disposable.from(
      workspace.onDidSaveTextDocument(forget),
      workspace.onDidChangeConfiguration(forget),
      workspace.onDidChangeWorkspaceFolders(forget),
    );
  }

  /** Why the file of a document must not be sent. */
  async denial(document: TextDocument): Promise<DenialReason | undefined> {
    const known = this.#decisions.get(document);
    if (known && this.#now() - known.time < lifetime) return await known.denial;
    const denial = this.#decide(document.uri);
    this.#decisions.set(document, { time: this.#now(), denial });
    return await denial;
  }

  dispose(): void {
    this.#listeners.dispose();
  }

  async #decide(uri: Uri): Promise<DenialReason | undefined> {
    if (isExcluded(uri, "search")) return "ignored";
    return (await this.#gate.denied([uri])).get(uri);
  }
}

/** Whether the active tab is a plain editor of a document, rather than a diff or merge editor or one with a peek view. */
export function isPlainEditorOf({ uri }: TextDocument): boolean {
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  if (!schemes.includes(uri.scheme)) return false;
  if (input instanceof TabInputNotebook) return input.uri.path === uri.path;
  return input instanceof TabInputText && input.uri.toString() === uri.toString();
}
