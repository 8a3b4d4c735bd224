import type { TextDocument } from "vscode";
import { promptLanguage } from "../manifest.ts";
import { ImageSaver } from "./imageSaver.ts";
import type { KeptImages } from "./keptImages.ts";

/** State shared by the image features. */
export interface Images extends KeptImages {
  readonly saver: ImageSaver;
  readonly promptDocuments: PromptDocuments;
  /** Token that identifies clicks in the extension's own view and notifications, which need no confirmation. */
  readonly ticket: string;
}

/** Adds the state that only lives as long as the window. */
export function createImages(kept: KeptImages): Images {
  return {
    ...kept,
    saver: new ImageSaver(),
    promptDocuments: new PromptDocuments(),
    ticket: crypto.randomUUID(),
  };
}

/**
 * Tracks prompt editors. A workspace can assign the prompt language to any file, so only untitled documents count as
 * prompts, and only those opened here skip the confirmation.
 */
class PromptDocuments {
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
