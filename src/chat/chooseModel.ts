import type { LanguageModelChat } from "vscode";
import { textModels } from "../gateway/models.ts";
import { vendor } from "../manifest.ts";

/** VS Code preselects the first model by name where nobody has picked one. */
const [preselected] = textModels.toSorted((one, other) => one.name.localeCompare(other.name));

/** The gateway's model picked in the Chat view, else the one of the settings. A preselected model is not a picked one. */
export function chooseModel(shown: Pick<LanguageModelChat, "vendor" | "id">, configured: string): string {
  return shown.vendor === vendor && shown.id !== preselected?.id ? shown.id : configured;
}
