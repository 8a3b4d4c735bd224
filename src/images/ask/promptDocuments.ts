import type { TextDocument } from "vscode";
import { promptLanguage } from "../../manifest.ts";

/**
 * The editors in which prompts are written. A workspace can give any file the language of prompts, and new files too, so
 * only documents without a file are prompts, and only those opened here are ordered without a question.
 */
export class PromptDocuments {
  readonly #opened = new WeakSet<TextDocument>();

  add(document: TextDocument): void {
    this.#opened.add(document);
  }

  isPrompt({ languageId, uri }: TextDocument): boolean {
    return languageId === promptLanguage && uri.scheme === "untitled";
  }

  /** Whether the user asked for this prompt editor in this window. */
  isOurs(document: TextDocument): boolean {
    return this.#opened.has(document);
  }
}
