import { l10n, workspace } from "vscode";
import type { GatewayError } from "../gateway/errors.ts";
import { prefix } from "../manifest.ts";
import { configuredLimits, inputTokens } from "../settings/tokenLimits.ts";
import { quote } from "../text/safeText.ts";
import { chooseModel, openSetting, repeat, setTokenLimit, showLog } from "./actions.ts";
import type { Action, Cause, FailedAction, Help } from "./notice.ts";
import { code } from "./sentences.ts";

/** The cause of a refused prompt that is too long, with the limit if the gateway names one. */
export const longPromptCause: Cause = (error, { object }, keyGroup) => {
  if (error.page !== undefined) {
    return l10n.t("A server in front of {0} does not accept a request this large{1}.", object, code(error));
  }
  if (keyGroup === "image") return l10n.t("The prompt is too long for the image model{0}.", code(error));
  const model = quote(error.model ?? "", 60);
  const { tokenLimit, limits } = error;
  if (model === "") return l10n.t("The prompt is too long for this model{0}.", code(error));
  if (tokenLimit === undefined) return l10n.t("The prompt is too long for the model “{0}”{1}.", model, code(error));
  const tokens = tokenLimit.toLocaleString("en");
  return limits === "input"
    ? l10n.t("The prompt is too long for the model “{0}”, which accepts {1} tokens{2}.", model, tokens, code(error))
    : l10n.t(
        "The prompt is too long for the model “{0}”, which handles {1} tokens including the answer{2}.",
        model,
        tokens,
        code(error),
      );
};

/** What to do about a prompt that is too long, at the place that it comes from. */
export function longPromptHelp(error: GatewayError, operation: FailedAction): Help {
  if (operation.keyGroup === "image") return { advice: l10n.t("Shorten it, then try again."), actions: [showLog()] };
  const limit = limitActions(error, operation);
  // These models are chosen in the settings too; two buttons with one title would be a riddle.
  const { modelFrom } = operation;
  const isSetting = modelFrom?.endsWith(".model") === true && modelFrom !== "chat.model";
  const settings = limit.length > 0 || isSetting ? [] : [openSetting("models")];
  return { advice: adviceFor(operation), actions: [...limit, chooseModel(operation), ...settings] };
}

/**
 * Saves the limit that the gateway names, if the settings have another one. If theirs is higher, a question whose
 * context this extension chooses fits when it is repeated, because the lower one is used at once.
 */
function limitActions({ model, tokenLimit, limits }: GatewayError, operation: FailedAction): readonly Action[] {
  if (model === undefined || tokenLimit === undefined || limits === undefined) return [];
  const configured = configuredLimits(model, workspace.getConfiguration(prefix, null).get("models"));
  const allowed = inputTokens({ tokenLimit, limits }, configured.maxOutputTokens);
  if (allowed === configured.maxInputTokens) return [];
  const fitsNow = allowed < configured.maxInputTokens && operation.builtInChat === undefined;
  return [setTokenLimit(model, allowed), ...(fitsNow ? repeat({ retryAfter: undefined }, operation) : [])];
}

function adviceFor({ modelFrom, isInChat }: FailedAction): string {
  if (modelFrom === "inlineChat.model") {
    return l10n.t("Select fewer lines, start a new conversation, or choose a model that accepts more.");
  }
  if (modelFrom === "commitMessage.model" || modelFrom === "review.model")
    return l10n.t("Stage fewer files, or choose a model that accepts more.");
  return isInChat
    ? l10n.t("Start a new chat, attach less, or choose a model that accepts more.")
    : l10n.t("Send less, or choose a model that accepts more.");
}
