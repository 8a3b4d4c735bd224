import { commands } from "vscode";

/** The keyboard goes back to the code, since what it was in is gone. Code is to be read afterwards: users type meanwhile. */
export async function focusEditor(): Promise<void> {
  await commands.executeCommand("workbench.action.focusActiveEditorGroup");
}
