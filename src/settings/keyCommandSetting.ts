import { env, workspace } from "vscode";
import type { KeyGroup } from "../gateway/types.ts";
import type { Command } from "./keyCommand.ts";
import { readSettings } from "./settings.ts";

/** The command for the key of a group; empty if none is set. */
export function keyCommandOf(group: KeyGroup): Command {
  // A dev container can set settings of scope `machine` (VS Code 1.139), but must not name a program to run.
  if (/container|codespaces/.test(env.remoteName ?? "")) return [];
  return readSettings((section) => workspace.getConfiguration(section, null)).keyCommands[group];
}
