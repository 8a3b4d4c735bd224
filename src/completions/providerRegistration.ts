import { commands, type Disposable, type InlineCompletionItemProvider, languages, window } from "vscode";
import { extensionId } from "../manifest.ts";
import { schemes } from "./editorGate.ts";

/** Registers the provider of completions with VS Code, and has VS Code ask it where it would not by itself. */
export class ProviderRegistration {
  readonly #provider: InlineCompletionItemProvider;
  /** `undefined` once disposed. */
  #registered: Disposable | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(provider: InlineCompletionItemProvider) {
    this.#provider = provider;
    this.#registered = register(provider);
  }

  /**
   * Has VS Code ask for what was typed before the provider was registered. In a new window, the user may well type before
   * the extension is activated, and VS Code asks no provider that comes later (VS Code 1.139).
   */
  askForTyped(): void {
    // The first version of a document is 1: the user has edited it in this window.
    if ((window.activeTextEditor?.document.version ?? 0) <= 1) return;
    const options = { providerId: `${extensionId}:*`, explicit: false };
    void commands.executeCommand("editor.action.inlineSuggest.trigger", options);
  }

  /**
   * Lets the user ask on demand once more at the same place. VS Code takes an empty answer on demand for the answer until
   * the text or the cursor changes, unless a provider was added (`satisfies` in `inlineCompletionsSource.ts`, VS Code 1.139).
   */
  renew(): void {
    clearTimeout(this.#timer);
    // Not before VS Code has the answer.
    this.#timer = setTimeout(() => {
      const before = this.#registered;
      if (before) this.#registered = register(this.#provider);
      before?.dispose();
    });
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#registered?.dispose();
    this.#registered = undefined;
  }
}

function register(provider: InlineCompletionItemProvider): Disposable {
  return languages.registerInlineCompletionItemProvider(
    schemes.map((scheme) => ({ scheme })),
    provider,
  );
}
