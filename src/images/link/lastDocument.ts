import { type Disposable, type TextDocument, type TextEditor, type ViewColumn, window } from "vscode";
import { promptLanguage } from "../../manifest.ts";

/** Tracks the last edited document, because an open image leaves no active text editor. */
export class LastDocument {
  #seen: { readonly document: TextDocument; readonly viewColumn: ViewColumn | undefined } | undefined;
  readonly #listener: Disposable;

  constructor() {
    this.#remember(window.activeTextEditor);
    this.#listener = window.onDidChangeActiveTextEditor((editor) => {
      this.#remember(editor);
    });
  }

  /** Shows the document; `undefined` if there is none. */
  async show(): Promise<TextEditor | undefined> {
    if (this.#seen === undefined || this.#seen.document.isClosed) return undefined;
    const { document, viewColumn } = this.#seen;
    return await window.showTextDocument(document, { ...(viewColumn && { viewColumn }), preview: false });
  }

  get(): TextDocument | undefined {
    return this.#seen?.document.isClosed ? undefined : this.#seen?.document;
  }

  dispose(): void {
    this.#listener.dispose();
  }

  #remember(editor: TextEditor | undefined): void {
    if (!editor || editor.document.uri.scheme === "output" || editor.document.languageId === promptLanguage) return;
    this.#seen = { document: editor.document, viewColumn: editor.viewColumn };
  }
}
