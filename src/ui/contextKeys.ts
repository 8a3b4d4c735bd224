import { commands } from "vscode";
import { prefix } from "../manifest.ts";

/** A feature's context keys, `false` at first. As cursors move often, VS Code is told only of values that differ. */
export class ContextKeys {
  readonly #told = new Map<string, unknown>();

  set(name: string, value: unknown): void {
    if ((this.#told.get(name) ?? false) === value) return;
    this.#told.set(name, value);
    void commands.executeCommand("setContext", `${prefix}.${name}`, value);
  }
}
