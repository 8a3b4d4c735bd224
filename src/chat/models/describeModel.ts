import { l10n } from "vscode";

const descriptions: ReadonlyMap<string, () => string> = new Map([
  ["gpt-5.3-codex", () => l10n.t("Made for code: the choice for most questions.")],
  ["gpt-5.3-codex-spark", () => l10n.t("Made for code and fast: for small questions and edits.")],
  ["gpt-5.4", () => l10n.t("General and deep: for plans, reviews and long texts.")],
  ["gpt-5.4-mini", () => l10n.t("Small and quick: for titles, messages and summaries.")],
  ["gpt-5.5", () => l10n.t("The newest and deepest: for hard questions that may take longer.")],
]);

/** What a model is good for, in one line; `undefined` for models that only the settings know. */
export function describeModel(id: string): string | undefined {
  return descriptions.get(id)?.();
}
