import { commands } from "vscode";
import { prefix } from "../manifest.ts";

/**
 * The context keys of a feature, `false` at first. VS Code is told only of values that differ from the last, because cursors
 * move often.
 */
export class ContextKeys {
  readonly #told = new Map<string, unknown>();

  set(name: string, value: unknown): void {
    if ((this.#told.get(name) ?? false) === value) return;
    this.#told.set(name, value);
    void commands.executeCommand("setContext", `${prefix}.${name}`, value);
  }
}
