import { commands, type Disposable } from "vscode";
import { type CommandName, commandNames, prefix } from "../manifest.ts";

/**
 * Registers all commands. The result of `run` is the result of the command. Loads at activation, so the commands are in
 * `commandTable.ts`.
 */
export function registerCommands(run: (name: CommandName, argument: unknown) => unknown): readonly Disposable[] {
  return commandNames.map((name) =>
    commands.registerCommand(`${prefix}.${name}`, (argument?: unknown) => run(name, argument)),
  );
}
