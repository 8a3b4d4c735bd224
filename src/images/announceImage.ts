import { commands, l10n, type Uri, window, workspace } from "vscode";
import { type CommandName, prefix } from "../manifest.ts";
import { quote } from "../ui/quote.ts";

/** Says where an image was saved, and offers what is done next. */
export async function announceImage(uri: Uri, prompt: string): Promise<void> {
  const actions: readonly { title: string; command: CommandName }[] = [
    { title: l10n.t("Insert Link"), command: "insertImageLink" },
    { title: l10n.t("Reveal"), command: "revealImage" },
    { title: l10n.t("Copy Path"), command: "copyImagePath" },
    { title: l10n.t("Generate Again"), command: "generateImageAgain" },
  ];
  const path = quote(workspace.asRelativePath(uri));
  const text = l10n.t("“{0}” is saved as {1}.", quote(prompt, 60), path);
  const chosen = await window.showInformationMessage(text, ...actions);
  if (chosen) await commands.executeCommand(`${prefix}.${chosen.command}`, uri);
}
