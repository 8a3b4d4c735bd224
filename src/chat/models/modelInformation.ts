import { l10n, type LanguageModelChatInformation, ThemeIcon } from "vscode";
import type { TextModel } from "../../gateway/models.ts";
import { describeModel } from "./describeModel.ts";

/** What VS Code reads besides its published types: without the first two a model is missing from the picker. */
export interface PickableModel extends LanguageModelChatInformation {
  readonly isUserSelectable: true;
  readonly isBYOK: true;
  readonly statusIcon?: ThemeIcon;
}

/** A model as VS Code shows it. Without a key it is shown all the same, and says what is missing. */
export function modelInformation({ id, name, ...limits }: TextModel, hasKey: boolean): PickableModel {
  const tooltip = describeModel(id);
  return {
    id,
    name,
    family: id,
    version: "1",
    ...limits,
    ...(tooltip !== undefined && { tooltip }),
    ...(!hasKey && { detail: l10n.t("API key required"), statusIcon: new ThemeIcon("warning") }),
    // Without tool calling VS Code hides a model from agent mode, where nobody could tell the user why.
    capabilities: { toolCalling: true, imageInput: false },
    isUserSelectable: true,
    isBYOK: true,
  };
}
