import type { LanguageModelChat } from "vscode";
import type { TextModel } from "../../gateway/models.ts";
import { vendor } from "../../manifest.ts";

/**
 * The gateway's model that the user picked in the Chat view, or else the one from the settings. A preselected model
 * does not count as picked. Needs only types of VS Code, so unit tests can load it.
 */
export function chooseModel(
  shown: Pick<LanguageModelChat, "vendor" | "id">,
  configured: string,
  models: readonly Pick<TextModel, "id" | "name">[],
): string {
  // VS Code preselects the first model by name when the user has picked none (seen in VS Code 1.139).
  const [preselected] = models.toSorted((one, other) => one.name.localeCompare(other.name));
  return shown.vendor === vendor && shown.id !== preselected?.id ? shown.id : configured;
}
