import { commands } from "vscode";
import { prefix } from "../manifest.ts";

/** A feature's context keys, `false` at first. As cursors move often, only values that differ are sent to VS Code. */
export class ContextKeys {
  readonly #values = new Map<string, unknown>();

  set(name: string, value: unknown): void {
    if ((this.#values.get(name) ?? false) === value) return;
    this.#values.set(name, value);
    void commands.executeCommand("setContext", `${prefix}.${name}`, value);
  }
}
