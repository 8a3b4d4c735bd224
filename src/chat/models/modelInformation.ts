import { l10n, ThemeIcon } from "vscode";
import type { TextModel } from "../../gateway/models.ts";
import type { PickableModel } from "./unpublishedApi.ts";

/** A model for VS Code's model picker. It is listed without a key too, with a hint that the key is missing. */
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
    // VS Code hides models without tool calling from agent mode (`suitableForAgentMode` in VS Code 1.139.1).
    capabilities: { toolCalling: true, imageInput: false },
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

/** One-line description of a built-in model; `undefined` for models that come from the settings. */
export function describeModel(id: string): string | undefined {
  return descriptions.get(id)?.();
}
