import type { Memento } from "vscode";

const key = "lastImagePrompt";

/** What was last asked for in this workspace, to be offered again. */
export class LastPrompt {
  private readonly state: Memento;

  constructor(state: Memento) {
    this.state = state;
  }

  get(): string {
    return this.state.get(key, "");
  }

  async set(prompt: string): Promise<void> {
    await this.state.update(key, prompt);
  }
}
