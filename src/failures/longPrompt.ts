import { l10n } from "vscode";
import type { GatewayError } from "../gateway/errors.ts";
import { quote } from "../text/safeText.ts";
import { chooseModel, openSetting, showLog } from "./actions.ts";
import type { Cause, FailedAction, Help } from "./notice.ts";
import { code } from "./sentences.ts";

/** The cause of a refused prompt that is too long, with the limit if the gateway names one. */
export const longPromptCause: Cause = (error, _culprit, keyGroup) => {
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
export function longPromptHelp(_error: GatewayError, operation: FailedAction): Help {
  if (operation.keyGroup === "image") return { advice: l10n.t("Shorten it, then try again."), actions: [showLog()] };
  return { advice: adviceFor(operation), actions: [chooseModel(operation), openSetting("models")] };
}

function adviceFor({ modelFrom, isInChat }: FailedAction): string {
  if (modelFrom === "inlineChat.model") {
    return l10n.t("Select fewer lines, start a new conversation, or choose a model that accepts more.");
  }
  return isInChat
    ? l10n.t("Start a new chat, attach less, or choose a model that accepts more.")
    : l10n.t("Send less, or choose a model that accepts more.");
}
