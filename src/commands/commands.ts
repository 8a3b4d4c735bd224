import { commands, type Disposable } from "vscode";
import { type CommandName, commandNames, prefix } from "../manifest.ts";
import type { Services } from "../services.ts";

/**
 * Registers all commands behind one guard: whatever they throw becomes one notification. What `run` gives goes to whoever
 * runs the command. Arguments come from anywhere: keybindings, links, other extensions.
 */
export function registerCommands(
  { notifier }: Pick<Services, "notifier">,
  run: (name: CommandName, argument: unknown) => unknown,
): readonly Disposable[] {
  return commandNames.map((name) =>
    commands.registerCommand(`${prefix}.${name}`, (argument?: unknown) => {
      const guarded = (): Promise<unknown> =>
        notifier.guard({ name, keyGroup: "codex", retry: guarded }, async () => await run(name, argument));
      return guarded();
    }),
  );
}
