import { l10n, ProgressLocation, window } from "vscode";
import { asObject } from "../base/json.ts";
import { ContextKeys } from "../ui/contextKeys.ts";
import { generateMessage, type MessageServices, type WrittenMessage } from "./generateMessage.ts";
import { chooseRepository } from "./gitExtension.ts";
import { idOf, type Repository } from "./repository.ts";

/** Writes commit messages, one at a time for each repository. */
export class CommitMessages {
  readonly #services: MessageServices;
  readonly #running = new Map<string, { readonly rootUri: unknown; readonly controller: AbortController }>();
  readonly #written = new Map<string, WrittenMessage>();
  readonly #keys = new ContextKeys();

  constructor(services: MessageServices) {
    this.#services = services;
  }

  /** Writes a message for a repository. Stops instead if one is being written there. */
  async generate(argument: unknown): Promise<void> {
    const repository = await chooseRepository(argument, l10n.t("Select the repository for the commit message"));
    if (repository === undefined || this.#stop(repository.id)) return;
    const controller = new AbortController();
    this.#running.set(repository.id, { rootUri: repository.rootUri, controller });
    this.#showRunning();
    try {
      const location = ProgressLocation.SourceControl;
      await window.withProgress({ location }, () => this.#write(repository, controller.signal));
    } finally {
      this.#running.delete(repository.id);
      this.#showRunning();
    }
  }

  /** Stops writing for the repository whose button was clicked; from the Command Palette, for all. */
  stop(argument: unknown): void {
    const { rootUri } = asObject(argument) ?? {};
    if (rootUri === undefined) for (const { controller } of this.#running.values()) controller.abort();
    else this.#stop(idOf(rootUri));
  }

  dispose(): void {
    this.stop(undefined);
  }

  #stop(id: string): boolean {
    const running = this.#running.get(id);
    running?.controller.abort();
    return running !== undefined;
  }

  async #write(repository: Repository, signal: AbortSignal): Promise<void> {
    const { id } = repository;
    this.#written.set(id, await generateMessage(this.#services, repository, this.#written.get(id), signal));
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
