import { l10n, ProgressLocation, type Uri, window } from "vscode";
import { asObject } from "../base/json.ts";
import { ContextKeys } from "../ui/contextKeys.ts";
import { generateMessage, type MessageServices, type WrittenMessage } from "./generateMessage.ts";
import { chooseRepository } from "./gitExtension.ts";

/** Writes commit messages, one at a time for each repository. */
export class CommitMessages {
  readonly #services: MessageServices;
  /** By the root of the repository. */
  readonly #running = new Map<string, { readonly rootUri: Uri; readonly controller: AbortController }>();
  readonly #written = new Map<string, WrittenMessage>();
  readonly #keys = new ContextKeys();

  constructor(services: MessageServices) {
    this.#services = services;
  }

  /** Writes a message for a repository. Stops instead if one is being written there. */
  async generate(argument: unknown): Promise<void> {
    const repository = await chooseRepository(argument, l10n.t("Select the repository for the commit message"));
    if (repository === undefined) return;
    const { rootUri } = repository;
    const id = String(rootUri);
    if (this.#running.has(id)) {
      this.stop({ rootUri });
      return;
    }
    const controller = new AbortController();
    this.#running.set(id, { rootUri, controller });
    this.#showRunning();
    try {
      await window.withProgress({ location: ProgressLocation.SourceControl }, async () => {
        const previous = this.#written.get(id);
        this.#written.set(id, await generateMessage(this.#services, repository, previous, controller.signal));
      });
    } finally {
      this.#running.delete(id);
      this.#showRunning();
    }
  }

  /** Stops writing for the repository whose button was clicked; from the Command Palette, for all. */
  stop(argument: unknown): void {
    const { rootUri } = asObject(argument) ?? {};
    for (const [id, { controller }] of this.#running)
      if (id === String(rootUri) || rootUri === undefined) controller.abort();
  }

  dispose(): void {
    this.stop(undefined);
  }

  /**
   * Sets in which repositories a message is being written, so that the button of each stops its own. The roots are URIs, not
   * text: VS Code converts them to those that its menus compare, which differ in a remote window (`contextKeyService.ts`,
   * VS Code 1.139).
   */
  #showRunning(): void {
    const roots = [...this.#running.values()].map(({ rootUri }) => rootUri);
    this.#keys.set("writingCommitMessageIn", roots);
    this.#keys.set("isWritingCommitMessage", roots.length > 0);
  }
}
