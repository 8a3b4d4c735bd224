import { l10n, ThemeIcon } from "vscode";
import { sentences } from "../../failures/sentences.ts";
import type { TextModel } from "../../gateway/models.ts";
import { effortSchema } from "./reasoningEffort.ts";
import type { PickableModel } from "./unpublishedApi.ts";

/** A model for VS Code's model picker. It is listed without a key too, with a hint that the key is missing. */
export function modelInformation(model: TextModel, hasKey: boolean): PickableModel {
  const { id, name, maxInputTokens, maxOutputTokens } = model;
  const tooltip = describeModel(model);
  return {
    id,
    name,
    family: id,
    version: "1",
    maxInputTokens,
    maxOutputTokens,
    ...(tooltip !== undefined && { tooltip }),
    ...(!hasKey && { detail: l10n.t("API key required"), statusIcon: new ThemeIcon("warning") }),
    // VS Code hides models without tool calling from agent mode (`suitableForAgentMode` in VS Code 1.139.1).
    capabilities: { toolCalling: true, imageInput: false },
    configurationSchema: effortSchema(),
    isUserSelectable: true,
    isBYOK: true,
  };
}

const descriptions: ReadonlyMap<string, () => string> = new Map([
  ["gpt-5.3-codex", () => l10n.t("Built for code. Suits most questions.")],
  ["gpt-5.3-codex-spark", () => l10n.t("Built for code, and fast. Suits small questions and edits.")],
  ["gpt-5.4", () => l10n.t("General purpose, with deep reasoning. Suits plans, reviews, and long texts.")],
  ["gpt-5.4-mini", () => l10n.t("Small and fast. Suits titles, commit messages, and summaries.")],
  ["gpt-5.5", () => l10n.t("The newest, with the deepest reasoning. Suits hard questions that take longer.")],
]);

/** One line on what a built-in model is for. */
export function purposeOf(id: string): string | undefined {
  return descriptions.get(id)?.();
}

/** What a model is for and the effort from the settings; `undefined` where there is neither. */
function describeModel({ id, reasoningEffort }: TextModel): string | undefined {
  const effort = reasoningEffort && l10n.t("Reasoning effort in settings: {0}.", reasoningEffort);
  return sentences(purposeOf(id) ?? "", effort ?? "") || undefined;
}
