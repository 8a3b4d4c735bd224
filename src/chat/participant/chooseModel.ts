import type { LanguageModelChat } from "vscode";
import type { TextModel } from "../../gateway/models.ts";
import { vendor } from "../../manifest.ts";

/**
 * The gateway's model picked in the Chat view, else the one of the settings. A preselected model is not a picked one. On
 * its own to be tested without VS Code.
 */
export function chooseModel(
  shown: Pick<LanguageModelChat, "vendor" | "id">,
  configured: string,
  models: readonly Pick<TextModel, "id" | "name">[],
): string {
  // VS Code preselects the first model by name where nobody has picked one.
  const [preselected] = models.toSorted((one, other) => one.name.localeCompare(other.name));
  return shown.vendor === vendor && shown.id !== preselected?.id ? shown.id : configured;
}
