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
import type { Sketch } from "../edits/sketchEdits.ts";
import { diffScheme } from "../manifest.ts";
import { withBlanksMarked, withUnseenMarked } from "../text/unseen.ts";
import { withHunks } from "./proposal.ts";

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

/** What stands between edits that have no place. */
const separator = ["", "⋯", ""];

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

  /**
   * Shows edits that cannot be applied: the current document and the edits where they would be, then the old and new
   * lines of those that no place is like.
   */
  async showSketch({ document, lines }: ComparedDocument, { runs, unplaced }: Sketch): Promise<void> {
    const marked = (texts: readonly string[]): readonly string[] =>
      texts.map((text) => withBlanksMarked(withUnseenMarked(text)));
    const sides: Sides[] = [];
    if (runs.length > 0) {
      const hunks = runs.map((run) => ({ ...run, lines: marked(run.lines) }));
      sides.push({ left: document.uri, right: await this.#keep(document, withHunks(lines, hunks)) });
    }
    if (unplaced.length > 0) {
      const [left, right] = [unplaced.map(({ before }) => before), unplaced.map((edit) => edit.lines)].map((parts) =>
        parts.flatMap((part, index) => [...(index > 0 ? separator : []), ...marked(part)]),
      );
      sides.push({ left: await this.#keep(document, left ?? []), right: await this.#keep(document, right ?? []) });
    }
    await this.#show(l10n.t("Not applied: {0}", basename(document.uri.path)), sides);
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
