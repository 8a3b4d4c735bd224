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
    workspace.onDidCloseTextDocument(({ uri, isClosed }) => {
      // VS Code also reports that a document closes when its language is set.
      if (isClosed) this.#texts.delete(uri.toString());
    }),
  );

  /** Shows a document beside its `previous` lines, which are on the left, or beside `proposed` ones on the right. */
  async show(document: TextDocument, side: "previous" | "proposed", lines: readonly string[]): Promise<void> {
    const { uri, languageId } = document;
    const other = Uri.from({ scheme: diffScheme, path: uri.path, query: crypto.randomUUID() });
    this.#texts.set(other.toString(), lines.join("\n"));
    await languages.setTextDocumentLanguage(await workspace.openTextDocument(other), languageId);
    const sides = side === "previous" ? [other, uri] : [uri, other];
    await commands.executeCommand("vscode.diff", ...sides, l10n.t("{0} (change by Codex)", basename(uri.path)));
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
}
