import { commands, type Disposable, type InlineCompletionItemProvider, languages, window } from "vscode";
import { extensionId } from "../manifest.ts";
import { schemes } from "./editorGate.ts";

/** Registers the provider of completions, and makes VS Code call it where it would not. */
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
   * Triggers a suggestion for text that was typed before the provider was registered. In a new window, the user may type
   * before the extension is activated, and VS Code calls no provider that is registered later (VS Code 1.139).
   */
  triggerForTyped(): void {
    // A document that was not edited in this window has version 1.
    if ((window.activeTextEditor?.document.version ?? 0) <= 1) return;
    const options = { providerId: `${extensionId}:*`, explicit: false };
    void commands.executeCommand("editor.action.inlineSuggest.trigger", options);
  }

  /**
   * Makes VS Code call the provider on demand again at the same position. VS Code caches an empty result on demand until the
   * text or the cursor changes, or a provider is added (`satisfies` in `inlineCompletionsSource.ts`, VS Code 1.139).
   */
  renew(): void {
    clearTimeout(this.#timer);
    // After VS Code has received the result.
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
