import { commands } from "vscode";
import { extensionId, prefix, walkthroughId } from "../manifest.ts";

/** Opens the walkthrough, with what is done already ticked off. */
export async function openWalkthrough(): Promise<void> {
  await commands.executeCommand("workbench.action.openWalkthrough", `${extensionId}#${walkthroughId}`);
  // VS Code ticks off what changes from now on only: this key changes with every step that is done.
  await commands.executeCommand("setContext", `${prefix}.walkthroughIsOpen`, true);
}
