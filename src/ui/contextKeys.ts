import { commands } from "vscode";
import { prefix } from "../manifest.ts";

/** The context keys of a feature, initially `false`. Sends only changed values to VS Code, because cursors move often. */
export class ContextKeys {
  readonly #values = new Map<string, unknown>();

  set(name: string, value: unknown): void {
    if ((this.#values.get(name) ?? false) === value) return;
    this.#values.set(name, value);
    void commands.executeCommand("setContext", `${prefix}.${name}`, value);
  }
}
