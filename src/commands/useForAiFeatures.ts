import { l10n, window, workspace } from "vscode";
import { applyChanges, plannedChanges, revertChanges, type UtilityChange } from "../chat/models/utilityModels.ts";
import { prefix, settingDefaults } from "../manifest.ts";
import type { Services } from "../services.ts";
import { modelId } from "../settings/models.ts";
import { quote } from "../text/safeText.ts";

/** Preferred model for small tasks such as titles, if the gateway has it. */
const smallModel = "gpt-5.4-mini";

/** Uses models of the gateway for VS Code's utility tasks, after showing which settings change. */
export async function useForAiFeatures({ state }: Pick<Services, "state">): Promise<void> {
  const changes = plannedChanges(userModel(), smallModel);
  const use = l10n.t("Use");
  const detail = [
    l10n.t(
      "They write chat titles, suggest names when you rename, and the like. VS Code's own button for commit messages requires signing in to Copilot. This changes your user settings:",
    ),
    changes.map(lineOf).join("\n"),
    l10n.t("To undo this, run “Stop Using for VS Code's AI Features”."),
  ].join("\n\n");
  const message = l10n.t("Use the gateway's models for VS Code's AI features?");
  if ((await window.showInformationMessage(message, { modal: true, detail }, use)) !== use) return;
  await applyChanges(changes, state);
  void window.showInformationMessage(l10n.t("VS Code's AI features now use the gateway's models."));
}

/** Takes back what `useForAiFeatures` has changed. */
export async function stopUsingForAiFeatures({ state }: Pick<Services, "state">): Promise<void> {
  const wereInUse = await revertChanges(state);
  void window.showInformationMessage(
    wereInUse
      ? l10n.t("VS Code's AI features use their previous models again.")
      : l10n.t("VS Code's AI features do not use the gateway's models."),
  );
}

/** The model from the user settings. A workspace's model must not end up in the user settings. */
export function userModel(): string {
  const value: unknown = workspace.getConfiguration(prefix).inspect("chat.model")?.globalValue;
  return (typeof value === "string" && modelId(value)) || settingDefaults["chat.model"];
}

/** One row of the confirmation. Escapes the values, because settings can contain any text. */
function lineOf({ setting, now, next }: UtilityChange): string {
  return `${setting}: ${now === "" ? l10n.t("not set") : quote(now)} → ${quote(next)}`;
}
