import { ConfigurationTarget, l10n, type QuickPickItem, ThemeIcon, window, workspace } from "vscode";
import { purposeOf } from "../chat/models/modelInformation.ts";
import type { TextModel } from "../gateway/models.ts";
import { prefix } from "../manifest.ts";
import type { Services } from "../services.ts";
import { quote } from "../text/safeText.ts";

/** Lets the user choose the model that @codex asks. */
export async function selectModel({ settings }: Pick<Services, "settings">): Promise<void> {
  const { models, chatModel } = settings();
  const items = models.map((model) => itemOf(model, model.id === chatModel));
  const chosen = await window.showQuickPick(items, {
    title: l10n.t("Select the model for @codex"),
    matchOnDetail: true,
  });
  if (chosen === undefined) return;
  const configuration = workspace.getConfiguration(prefix);
  // A workspace value would override the user's.
  const isOfWorkspace = configuration.inspect("chat.model")?.workspaceValue !== undefined;
  const target = isOfWorkspace ? ConfigurationTarget.Workspace : ConfigurationTarget.Global;
  await configuration.update("chat.model", chosen.id, target);
}

function itemOf(model: TextModel, isCurrent: boolean): QuickPickItem & { readonly id: string } {
  const { id, name, reasoningEffort } = model;
  const facts = [
    isCurrent && l10n.t("current"),
    reasoningEffort && l10n.t("reasoning effort: {0}", reasoningEffort),
  ].filter(Boolean);
  return {
    id,
    label: name,
    ...(facts.length > 0 && { description: facts.join(" · ") }),
    iconPath: new ThemeIcon(isCurrent ? "check" : "blank"),
    detail: purposeOf(id) ?? quote(id),
  };
}
