import {
  commands,
  type Disposable,
  l10n,
  languages,
  TabInputTextDiff,
  type TextDocument,
  type TextDocumentContentProvider,
  Uri,
  window,
  workspace,
} from "vscode";
import { basename } from "node:path/posix";
import { diffScheme } from "../manifest.ts";

/** A document, and the lines that it is compared with. */
export interface ComparedDocument {
  readonly document: TextDocument;
  readonly lines: readonly string[];
}

/** Both sides of a diff. */
interface Sides {
  readonly left: Uri;
  readonly right: Uri;
}

/** Opens diff editors for proposed and applied changes. */
export class DiffView implements TextDocumentContentProvider, Disposable {
  readonly #texts = new Map<string, string>();
  readonly #closing: Disposable;

  constructor() {
    this.#closing = workspace.onDidCloseTextDocument(({ uri }) => {
      this.#texts.delete(uri.toString());
    });
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.#texts.get(uri.toString()) ?? "";
  }

  /** Shows the current document on the left and the proposal on the right. */
  async showProposal(document: TextDocument, lines: readonly string[]): Promise<void> {
    const title = l10n.t("{0} (change by Codex)", basename(document.uri.path));
    await this.#show(title, [{ left: document.uri, right: await this.#keep(document, lines) }]);
  }

  /** Whether the active diff proposes a change of the document that does not lead to these lines. */
  isOutdated({ uri }: TextDocument, lines: readonly string[]): boolean {
    const proposal = this.#proposalFor(uri);
    return proposal !== undefined && proposal !== lines.join("\n");
  }

  /** Whether the active diff proposes a change of the document that leads to these lines. */
  shows({ uri }: TextDocument, lines: readonly string[]): boolean {
    return this.#proposalFor(uri) === lines.join("\n");
  }

  /** Shows the previous version of each document on the left and the current one on the right. */
  async showApplied(previous: readonly ComparedDocument[]): Promise<void> {
    const names = previous.map(({ document }) => basename(document.uri.path));
    const sides = await Promise.all(
      previous.map(async ({ document, lines }) => ({ left: await this.#keep(document, lines), right: document.uri })),
    );
    await this.#show(l10n.t("{0} (change by Codex)", names.join(", ")), sides);
  }

  dispose(): void {
    this.#closing.dispose();
  }

  /** The text that the active diff proposes for a document, if it does. */
  #proposalFor(uri: Uri): string | undefined {
    const shown = window.tabGroups.activeTabGroup.activeTab?.input;
    if (!(shown instanceof TabInputTextDiff) || shown.original.toString() !== uri.toString()) return undefined;
    return this.#texts.get(shown.modified.toString());
  }

  async #show(title: string, sides: readonly Sides[]): Promise<void> {
    const [first] = sides;
    if (first && sides.length === 1) await commands.executeCommand("vscode.diff", first.left, first.right, title);
    else {
      const resources = sides.map(({ left, right }) => [right, left, right]);
      await commands.executeCommand("vscode.changes", title, resources);
    }
  }

  /** Creates a virtual document with these lines, in the original's language. */
  async #keep({ uri, languageId }: TextDocument, lines: readonly string[]): Promise<Uri> {
    const kept = Uri.from({ scheme: diffScheme, path: uri.path, query: crypto.randomUUID() });
    this.#texts.set(kept.toString(), lines.join("\n"));
    await languages.setTextDocumentLanguage(await workspace.openTextDocument(kept), languageId);
    return kept;
  }
}
