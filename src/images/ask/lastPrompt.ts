import type { Memento } from "vscode";

const key = "lastImagePrompt";

/** The last prompt of this workspace, offered as a default. */
export class LastPrompt {
  readonly #state: Memento;

  constructor(state: Memento) {
    this.#state = state;
  }

  get(): string {
    const stored = this.#state.get<unknown>(key);
    return typeof stored === "string" ? stored : "";
  }

  async set(prompt: string): Promise<void> {
    await this.#state.update(key, prompt);
  }

  async clear(): Promise<void> {
    await this.#state.update(key, undefined);
  }
}
