import { l10n, workspace } from "vscode";
import type { GatewayError } from "../gateway/errors.ts";
import { prefix } from "../manifest.ts";
import { mergeModels } from "../settings/modelSettings.ts";
import { inputTokens, modelOf } from "../settings/tokenLimits.ts";
import { quote } from "../text/safeText.ts";
import { chooseModel, openSetting, retryActions, setTokenLimit, showLog } from "./actions.ts";
import type { Action, Failure, FailedAction, Kind } from "./notice.ts";
import { withFacts } from "./sentences.ts";

/** The texts and actions for a prompt that is too long, by the feature that sent it. */
export function longPrompt(failure: Failure): Kind {
  const { error, operation } = failure;
  const cause = withFacts(causeOf(failure), error.status);
  if (operation.keyGroup === "image")
    return { cause, advice: l10n.t("Shorten it, then try again."), actions: [showLog()] };
  const limit = limitActions(error, operation);
  // These models are chosen in the settings too, and two buttons with the same title would be confusing.
  const { modelFrom = "chat.model" } = operation;
  const isSetting = modelFrom !== "chat.model" && modelFrom !== "picker";
  const settings = limit.length > 0 || isSetting ? [] : [openSetting("models")];
  return { cause, advice: adviceFor(operation), actions: [...limit, chooseModel(operation), ...settings] };
}

/** The cause, with the limit if the gateway names one. */
function causeOf({ error, operation, name }: Failure): string {
  const { page, tokenLimit, limits } = error;
  if (page !== undefined) return l10n.t("A server in front of {0} does not accept a request this large.", name);
  if (operation.keyGroup === "image") return l10n.t("The prompt is too long for the image model.");
  const model = quote(error.model ?? "", 60);
  if (model === "") return l10n.t("The prompt is too long for this model.");
  if (tokenLimit === undefined) return l10n.t("The prompt is too long for the model “{0}”.", model);
  const tokens = tokenLimit.toLocaleString("en");
  return limits === "input"
    ? l10n.t("The prompt is too long for the model “{0}”, which accepts {1} tokens.", model, tokens)
    : l10n.t(
        "The prompt is too long for the model “{0}”, which handles {1} tokens including the answer.",
        model,
        tokens,
      );
}

/**
 * Saves the limit that the gateway names, if it differs from the settings. A lower limit is used at once, so a question
 * whose context this extension chooses fits when it is retried.
 */
function limitActions({ model, tokenLimit, limits }: GatewayError, operation: FailedAction): readonly Action[] {
  if (model === undefined || tokenLimit === undefined || limits === undefined) return [];
  const models = mergeModels(workspace.getConfiguration(prefix, null).get("models"));
  const configured = modelOf(model, { models });
  const allowed = inputTokens({ tokenLimit, limits }, configured.maxOutputTokens);
  if (allowed === configured.maxInputTokens) return [];
  const fitsNow = allowed < configured.maxInputTokens && operation.builtInChat === undefined;
  return [setTokenLimit(model, allowed), ...(fitsNow ? retryActions({}, operation) : [])];
}

function adviceFor({ modelFrom, isInChat }: FailedAction): string {
  if (modelFrom === "inlineChat.model")
    return l10n.t("Select fewer lines, start a new conversation, or choose a model that accepts more.");
  if (modelFrom === "commitMessage.model" || modelFrom === "review.model")
    return l10n.t("Stage fewer files, or choose a model that accepts more.");
  return isInChat
    ? l10n.t("Start a new chat, attach less, or choose a model that accepts more.")
    : l10n.t("Send less, or choose a model that accepts more.");
}
