import { l10n, ThemeIcon } from "vscode";
import { sentences, textLanguage } from "../../failures/sentences.ts";
import type { ReasoningEffort, TextModel } from "../../gateway/models.ts";
import { formatPrice, type Prices } from "../../settings/prices.ts";
import { modelConfiguration, type PickableModel } from "./unpublishedApi.ts";

/** A model for VS Code's model picker. Without a key, it is listed with a hint that the key is missing. */
export function modelInformation(
  { id, name, maxInputTokens, maxOutputTokens, efforts, reasoningEffort }: TextModel,
  hasKey: boolean,
  prices?: Prices,
): PickableModel {
  const effort = reasoningEffort && l10n.t("Reasoning effort in settings: {0}.", reasoningEffort);
  const tooltip = sentences(purposeOf(id) ?? "", effort ?? "", prices ? pricesOf(id, prices) : "");
  const { input, cachedInput, output } = prices?.models.get(id) ?? {};
  return {
    id,
    name,
    family: id,
    version: "1",
    maxInputTokens,
    maxOutputTokens,
    ...(tooltip !== "" && { tooltip }),
    ...(!hasKey && { detail: l10n.t("API key required"), statusIcon: new ThemeIcon("warning") }),
    ...(input !== undefined && { inputCost: input }),
    ...(cachedInput !== undefined && { cacheCost: cachedInput }),
    ...(output !== undefined && { outputCost: output }),
    // VS Code hides models without tool calling from agent mode (`suitableForAgentMode` in VS Code 1.139.1).
    capabilities: { toolCalling: true, imageInput: true },
    ...(efforts && { configurationSchema: effortSchema(efforts) }),
    isUserSelectable: true,
    isBYOK: true,
  };
}

/** A sentence with the prices and their currency; empty if there are none. */
function pricesOf(id: string, { currency, models }: Prices): string {
  const { input, cachedInput, output } = models.get(id) ?? {};
  const money = (price: number): string => formatPrice(price, currency, textLanguage());
  const parts = [
    ...(input === undefined ? [] : [l10n.t("{0} for input", money(input))]),
    ...(cachedInput === undefined ? [] : [l10n.t("{0} for cached input", money(cachedInput))]),
    ...(output === undefined ? [] : [l10n.t("{0} for output", money(output))]),
  ];
  return parts.length === 0
    ? ""
    : l10n.t("A million tokens cost {0}.", new Intl.ListFormat(textLanguage()).format(parts));
}

const descriptions: ReadonlyMap<string, () => string> = new Map([
  ["gpt-5.3-codex", () => l10n.t("Built for code. Suits most questions.")],
  ["gpt-5.3-codex-spark", () => l10n.t("Built for code, and fast. Suits small questions and edits.")],
  ["gpt-5.4", () => l10n.t("General purpose, with deep reasoning. Suits plans, reviews, and long texts.")],
  ["gpt-5.4-mini", () => l10n.t("Small and fast. Suits titles, commit messages, and summaries.")],
  ["gpt-5.5", () => l10n.t("The newest, with the deepest reasoning. Suits hard questions that take longer.")],
]);

/** A short description of a built-in model. */
export function purposeOf(id: string): string | undefined {
  return descriptions.get(id)?.();
}

/** Efforts that are also low enough for titles, commit messages, and summaries. */
const lightEfforts: ReadonlySet<ReasoningEffort> = new Set(["none", "minimal", "low"]);

const labels: Readonly<Record<ReasoningEffort, () => string>> = {
  none: () => l10n.t("None"),
  minimal: () => l10n.t("Minimal"),
  low: () => l10n.t("Low"),
  medium: () => l10n.t("Medium"),
  high: () => l10n.t("High"),
  xhigh: () => l10n.t("Extra High"),
};

/**
 * The schema that lets users choose the effort in the model picker. It has no default: VS Code would send a default as if the
 * user had chosen it, and each window would keep the first one that it has seen (VS Code 1.139.1).
 */
function effortSchema(efforts: readonly ReasoningEffort[]): Required<PickableModel>["configurationSchema"] {
  const reasoningEffort = {
    type: "string",
    // The chat input shows the title until an effort is chosen. A longer one would hide the model's name (VS Code 1.139.1).
    title: l10n.t("Effort"),
    enum: efforts,
    enumItemLabels: efforts.map((effort) => labels[effort]()),
    group: "navigation",
  };
  return { properties: { reasoningEffort } };
}

/**
 * The effort for a request of VS Code: the one chosen in the model picker, or else the one from the settings. Ignores choices
 * that only earlier versions offered, such as "settings".
 */
export function chosenEffort(
  request: object,
  model: Pick<TextModel, "efforts" | "reasoningEffort"> | undefined,
): ReasoningEffort | undefined {
  const picked = modelConfiguration(request)?.reasoningEffort;
  return model?.efforts?.find((effort) => effort === picked) ?? model?.reasoningEffort;
}

/** The effort for a request that no user typed, for a title, for example. Only light ones are worth the wait. */
export function lightEffort(effort: ReasoningEffort | undefined): ReasoningEffort | undefined {
  return effort !== undefined && lightEfforts.has(effort) ? effort : undefined;
}
