import { l10n, window } from "vscode";
import { revertChanges } from "../chat/models/utilityModels.ts";
import type { Services } from "../services.ts";

/** Reverts the changes of `useForAiFeatures`. */
export async function stopUsingForAiFeatures({ state }: Pick<Services, "state">): Promise<void> {
  const wereInUse = await revertChanges(state);
  void window.showInformationMessage(
    wereInUse
      ? l10n.t("VS Code's AI features use their previous models again.")
      : l10n.t("VS Code's AI features do not use the gateway's models."),
  );
}
