import { l10n, window, workspace } from "vscode";
import { openSetting } from "../failures/actions.ts";
import { prefix } from "../manifest.ts";
import { modelId } from "../settings/models.ts";
import { mostInput } from "../settings/models.ts";
import { leastInput, saveInputTokens } from "../settings/tokenLimits.ts";
import { asCount, asObject, asText } from "../text/json.ts";
import { quote } from "../text/safeText.ts";

/** Limits the prompts to a model, as `{ model, maxInputTokens }` says; without that, opens the setting. */
export async function setTokenLimit(_services: unknown, argument?: unknown): Promise<void> {
  const { model: id, maxInputTokens: tokens } = asObject(argument) ?? {};
  const [model = "", maxInputTokens = 0] = [asText(id), asCount(tokens)];
  const isPlausible = maxInputTokens >= leastInput && maxInputTokens <= mostInput;
  if (!isPlausible || model === "" || model !== modelId(model)) {
    await openSetting("models").run();
    return;
  }
  await saveInputTokens(workspace.getConfiguration(prefix), model, maxInputTokens);
  const limit = maxInputTokens.toLocaleString("en");
  void window.showInformationMessage(
    l10n.t("Prompts to the model “{0}” are now limited to {1} tokens.", quote(model, 60), limit),
  );
}
