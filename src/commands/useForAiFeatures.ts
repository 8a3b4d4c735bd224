import { l10n, window, workspace } from "vscode";
import { applyChanges, plannedChanges, revertChanges, type UtilityChange } from "../chat/models/utilityModels.ts";
import { prefix, settingDefaults } from "../manifest.ts";
import type { Services } from "../services.ts";
import { modelId } from "../settings/models.ts";
import { quote } from "../text/safeText.ts";

/** Small and quick: the better choice for titles, if the gateway has it. */
const smallModel = "gpt-5.4-mini";

/** Makes models of the gateway do VS Code's small tasks, after showing which settings that changes. */
export async function useForAiFeatures({ state }: Pick<Services, "state">): Promise<void> {
  const changes = plannedChanges(userModel(), smallModel);
  const use = l10n.t("Use");
  const detail = [
    l10n.t("They write titles, commit messages, names, and summaries. This changes your user settings:"),
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

/** The user's own model: what a workspace names would outlast it in the user settings. */
export function userModel(): string {
  const value: unknown = workspace.getConfiguration(prefix).inspect("chat.model")?.globalValue;
  return (typeof value === "string" && modelId(value)) || settingDefaults["chat.model"];
}

/** Settings hold any text: it cannot add a line to what is asked. */
function lineOf({ setting, now, next }: UtilityChange): string {
  return `${setting}: ${now === "" ? l10n.t("not set") : quote(now)} → ${quote(next)}`;
}
