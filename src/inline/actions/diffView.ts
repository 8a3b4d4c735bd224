import {
  commands,
  Disposable,
  l10n,
  languages,
  TabInputTextDiff,
  type TextDocument,
  Uri,
  window,
  workspace,
} from "vscode";
import { basename } from "node:path/posix";
import { diffScheme } from "../../manifest.ts";

/** Opens diff editors for proposed and applied changes. */
export class DiffView implements Disposable {
  readonly #texts = new Map<string, string>();
  readonly #listeners = Disposable.from(
    workspace.registerTextDocumentContentProvider(diffScheme, {
      provideTextDocumentContent: (uri) => this.#texts.get(uri.toString()) ?? "",
    }),
    workspace.onDidCloseTextDocument(({ uri }) => {
      this.#texts.delete(uri.toString());
    }),
  );

  /** Shows the current document on the left and the proposal on the right. */
  async showProposal(document: TextDocument, lines: readonly string[]): Promise<void> {
    await this.#show(document, document.uri, await this.#copy(document, lines));
  }

  /** Shows the previous version of a document on the left and the current one on the right. */
  async showApplied(document: TextDocument, previous: readonly string[]): Promise<void> {
    await this.#show(document, await this.#copy(document, previous), document.uri);
  }

  /** The text that the active diff proposes for a document, if it does. */
  proposed({ uri }: TextDocument): string | undefined {
    const shown = window.tabGroups.activeTabGroup.activeTab?.input;
    if (!(shown instanceof TabInputTextDiff) || shown.original.toString() !== uri.toString()) return undefined;
    return this.#texts.get(shown.modified.toString());
  }

  dispose(): void {
    this.#listeners.dispose();
  }

  async #show({ uri }: TextDocument, left: Uri, right: Uri): Promise<void> {
    await commands.executeCommand("vscode.diff", left, right, l10n.t("{0} (change by Codex)", basename(uri.path)));
  }

  /** Creates a virtual document with these lines, in the original's language. */
  async #copy({ uri, languageId }: TextDocument, lines: readonly string[]): Promise<Uri> {
    const copy = Uri.from({ scheme: diffScheme, path: uri.path, query: crypto.randomUUID() });
    this.#texts.set(copy.toString(), lines.join("\n"));
    await languages.setTextDocumentLanguage(await workspace.openTextDocument(copy), languageId);
    return copy;
  }
}
