import { Disposable, TabInputNotebook, TabInputText, type TextDocument, type Uri, window, workspace } from "vscode";
import { isExcluded } from "../reading/excludedFiles.ts";
import type { DenialReason, FileGate } from "../reading/fileGate.ts";

/** The documents for completions, by scheme. Inputs of chats and comments, outputs, and old sides of diffs have others. */
export const schemes = ["file", "untitled", "vscode-remote", "vscode-notebook-cell"];

/** How long a verdict holds that other programs can change, for example with a new `.gitignore`, in milliseconds. */
const lifetime = 10_000;

interface Verdict {
  readonly time: number;
  readonly pending: Promise<DenialReason | undefined>;
  /** Known once the file has been judged. */
  reason?: DenialReason | undefined;
}

/** Decides in which documents completions are shown. Typing asks often, so verdicts are kept for a short time. */
export class EditorGate implements Disposable {
  readonly #gate: Pick<FileGate, "denied">;
  readonly #now: () => number;
  #verdicts = new WeakMap<TextDocument, Verdict>();
  readonly #listeners: Disposable;

  constructor(gate: Pick<FileGate, "denied">, now = (): number => performance.now()) {
    this.#gate = gate;
    this.#now = now;
    const forget = (): void => {
      this.#verdicts = new WeakMap();
    };
    this.#listeners = Disposable.from(
      workspace.onDidSaveTextDocument(forget),
      workspace.onDidChangeConfiguration(forget),
      workspace.onDidChangeWorkspaceFolders(forget),
    );
  }

  /** Whether completions may be shown in a document: only in the editor in front, and only if its file may be sent. */
  async allows(document: TextDocument): Promise<boolean> {
    if (!schemes.includes(document.uri.scheme) || !isInFront(document.uri)) return false;
    return (await this.#verdictOn(document).pending) === undefined;
  }

  /** Why the file of a document is not sent, as far as it is known. */
  reasonOf(document: TextDocument): DenialReason | undefined {
    return this.#verdicts.get(document)?.reason;
  }

  dispose(): void {
    this.#listeners.dispose();
  }

  #verdictOn(document: TextDocument): Verdict {
    const known = this.#verdicts.get(document);
    if (known && this.#now() - known.time < lifetime) return known;
    const verdict: Verdict = { time: this.#now(), pending: this.#decide(document.uri) };
    this.#verdicts.set(document, verdict);
    void verdict.pending.then((reason) => {
      verdict.reason = reason;
    });
    return verdict;
  }

  async #decide(uri: Uri): Promise<DenialReason | undefined> {
    if (isExcluded(uri, "search")) return "ignored";
    return (await this.#gate.denied([uri])).get(uri);
  }
}

/** Whether the tab in front is a plain editor of a document. Diff and merge editors, and peek views in others, are not. */
function isInFront(uri: Uri): boolean {
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof TabInputNotebook) return input.uri.path === uri.path;
  return input instanceof TabInputText && input.uri.toString() === uri.toString();
}
