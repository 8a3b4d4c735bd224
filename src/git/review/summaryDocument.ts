import { commands, type Disposable, EventEmitter, extensions, l10n, Uri, window, workspace } from "vscode";
import { summaryScheme } from "../../manifest.ts";

/** The summary of the last review, as a document that cannot be edited. */
export class SummaryDocument implements Disposable {
  readonly #changed = new EventEmitter<Uri>();
  readonly #provider: Disposable;
  #text = "";

  constructor() {
    this.#provider = workspace.registerTextDocumentContentProvider(summaryScheme, {
      onDidChange: this.#changed.event,
      provideTextDocumentContent: () => this.#text,
    });
  }

  /** Replaces the text, also where it is shown. */
  update(text: string): void {
    this.#text = text;
    this.#changed.fire(this.#uri);
  }

  /** Shows the rendered text, or its source if VS Code's Markdown extension is off. */
  async show(): Promise<void> {
    const canRender = extensions.getExtension("vscode.markdown-language-features") !== undefined;
    if (canRender) await commands.executeCommand("markdown.showPreview", this.#uri);
    else await window.showTextDocument(this.#uri);
  }

  dispose(): void {
    this.#provider.dispose();
    this.#changed.dispose();
  }

  get #uri(): Uri {
    return Uri.from({ scheme: summaryScheme, path: `/${l10n.t("Codex Review")}.md` });
  }
}
