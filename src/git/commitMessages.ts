import { CancellationError, commands, ProgressLocation, window } from "vscode";
import { asObject } from "../gateway/wire/json.ts";
import { prefix } from "../manifest.ts";
import type { Services } from "../services.ts";
import { quote } from "../text/safeText.ts";
import { generateMessage, type WrittenMessage } from "./generateMessage.ts";
import { chooseRepository } from "./gitExtension.ts";
import { idOf, type Repository } from "./repository.ts";

/**
 * Context key: a message is being written, so the button stops that. One for all repositories: in a remote window, menus
 * know a repository by another URI than extensions (seen in VS Code 1.139.1).
 */
const runningKey = `${prefix}.isWritingCommitMessage`;

/** Writes commit messages, one at a time for each repository. */
export class CommitMessages {
  readonly #services: Pick<Services, "gateway" | "settings" | "tokens" | "log">;
  readonly #running = new Map<string, AbortController>();
  readonly #written = new Map<string, WrittenMessage>();

  constructor(services: Pick<Services, "gateway" | "settings" | "tokens" | "log">) {
    this.#services = services;
  }

  /** Writes a message for a repository. Stops instead if one is being written there. */
  async generate(argument: unknown): Promise<void> {
    const repository = await chooseRepository(argument);
    if (repository === undefined || this.#stop(repository.id)) return;
    const running = new AbortController();
    this.#running.set(repository.id, running);
    this.#showRunning();
    try {
      const location = ProgressLocation.SourceControl;
      await window.withProgress({ location }, () => this.#write(repository, running.signal));
    } catch (error) {
      if (running.signal.aborted) throw new CancellationError();
      throw error;
    } finally {
      this.#running.delete(repository.id);
      this.#showRunning();
    }
  }

  /** Stops writing for the repository whose button was clicked, or for all. */
  stop(argument: unknown): void {
    const { rootUri } = asObject(argument) ?? {};
    if (rootUri !== undefined && this.#stop(idOf(rootUri))) return;
    for (const running of this.#running.values()) running.abort();
  }

  dispose(): void {
    this.stop(undefined);
  }

  #stop(id: string): boolean {
    const running = this.#running.get(id);
    running?.abort();
    return running !== undefined;
  }

  async #write(repository: Repository, signal: AbortSignal): Promise<void> {
    const { log } = this.#services;
    const services = {
      ...this.#services,
      now: () => performance.now(),
      onCut: (names: readonly string[]) => {
        const list = names.map((name) => quote(name, 100)).join(", ");
        log.info(`Generate Commit Message: only the beginning of these diffs was sent: ${list}`);
      },
    };
    const written = await generateMessage(services, repository, this.#written.get(repository.id), signal);
    if (written) this.#written.set(repository.id, written);
  }

  #showRunning(): void {
    void commands.executeCommand("setContext", runningKey, this.#running.size > 0);
  }
}
