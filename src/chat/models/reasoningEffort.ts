import { l10n } from "vscode";
import { isReasoningEffort, type ReasoningEffort, reasoningEfforts } from "../../gateway/models.ts";
import { type ConfigurationSchema, modelConfiguration } from "./unpublishedApi.ts";

/** The choice in the model picker that leaves the effort to the settings. */
const asInSettings = "settings";

/** Efforts that suit titles, commit messages, and summaries too. */
const light: ReadonlySet<ReasoningEffort> = new Set(["none", "minimal", "low"]);

const labels: Readonly<Record<ReasoningEffort, () => string>> = {
  none: () => l10n.t("None"),
  minimal: () => l10n.t("Minimal"),
  low: () => l10n.t("Low"),
  medium: () => l10n.t("Medium"),
  high: () => l10n.t("High"),
  xhigh: () => l10n.t("Extra High"),
};

/**
 * Lets users choose the effort in the model picker. The default never changes: a window keeps the one it has seen first,
 * as if the user had chosen it (the chat input in VS Code 1.139.1).
 */
export function effortSchema(): ConfigurationSchema {
  const reasoningEffort = {
    type: "string",
    title: l10n.t("Reasoning Effort"),
    enum: [asInSettings, ...reasoningEfforts],
    // A longer label takes the model's name off the chat input at the view's usual width (VS Code 1.139.1).
    enumItemLabels: [l10n.t("Auto"), ...reasoningEfforts.map((effort) => labels[effort]())],
    enumDescriptions: [l10n.t("As in settings, or as the model decides")],
    default: asInSettings,
    group: "navigation",
  } as const;
  return { properties: { reasoningEffort } };
}

/** The effort for a request of VS Code: the one chosen in the model picker, or else the one from the settings. */
export function chosenEffort(request: object, setting: ReasoningEffort | undefined): ReasoningEffort | undefined {
  const picked = modelConfiguration(request)?.reasoningEffort;
  return isReasoningEffort(picked) ? picked : setting;
}

/** The effort for a request that no user typed, such as those for titles: they are not worth a long wait. */
export function lightEffort(effort: ReasoningEffort | undefined): ReasoningEffort | undefined {
  return effort !== undefined && light.has(effort) ? effort : undefined;
}
