import type { TextDocument } from "vscode";
import { promptLanguage } from "../../manifest.ts";

/**
 * Tracks prompt editors. A workspace can assign the prompt language to any file, so only untitled documents count as
 * prompts, and only those opened here skip the confirmation.
 */
export class PromptDocuments {
  readonly #opened = new WeakSet<TextDocument>();

  add(document: TextDocument): void {
    this.#opened.add(document);
  }

  isPrompt({ languageId, uri }: TextDocument): boolean {
    return languageId === promptLanguage && uri.scheme === "untitled";
  }

  /** Whether the user opened this prompt editor in this window. */
  isOurs(document: TextDocument): boolean {
    return this.#opened.has(document);
  }
}
