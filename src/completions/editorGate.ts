import { Disposable, TabInputNotebook, TabInputText, type TextDocument, type Uri, window, workspace } from "vscode";
import { isExcluded } from "../reading/excludedFiles.ts";
import type { DenialReason, FileGate } from "../reading/fileGate.ts";

/** The URI schemes of documents with completions. Inputs of chats and comments, output, and the old sides of diffs have others. */
export const schemes = ["file", "untitled", "vscode-remote", "vscode-notebook-cell"];

/** How long a decision is cached, in milliseconds: other programs can change it, for example with a new `.gitignore`. */
const lifetime = 10_000;

interface Decision {
  readonly time: number;
  readonly pending: Promise<DenialReason | undefined>;
  /** Set when it is known. */
  reason?: DenialReason | undefined;
}

/** Decides in which documents completions are shown. As typing needs many decisions, they are cached for a short time. */
export class EditorGate implements Disposable {
  readonly #gate: Pick<FileGate, "denied">;
  readonly #now: () => number;
  #decisions = new WeakMap<TextDocument, Decision>();
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

  /** Whether completions may be shown in a document: only in the active editor, and only if its file may be sent. */
  async allows(document: TextDocument): Promise<boolean> {
    if (!schemes.includes(document.uri.scheme) || !isInActiveTab(document.uri)) return false;
    return (await this.#decisionOn(document).pending) === undefined;
  }

  /** Why the file of a document is not sent, if that is known. */
  reasonOf(document: TextDocument): DenialReason | undefined {
    return this.#decisions.get(document)?.reason;
  }

  dispose(): void {
    this.#listeners.dispose();
  }

  #decisionOn(document: TextDocument): Decision {
    const known = this.#decisions.get(document);
    if (known && this.#now() - known.time < lifetime) return known;
    const decision: Decision = { time: this.#now(), pending: this.#decide(document.uri) };
    this.#decisions.set(document, decision);
    void decision.pending.then((reason) => {
      decision.reason = reason;
    });
    return decision;
  }

  async #decide(uri: Uri): Promise<DenialReason | undefined> {
    if (isExcluded(uri, "search")) return "ignored";
    return (await this.#gate.denied([uri])).get(uri);
  }
}

/** Whether the active tab is a plain editor of a document, rather than a diff or merge editor or one with a peek view. */
function isInActiveTab(uri: Uri): boolean {
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof TabInputNotebook) return input.uri.path === uri.path;
  return input instanceof TabInputText && input.uri.toString() === uri.toString();
}
