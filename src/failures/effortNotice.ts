import { l10n, type LogOutputChannel } from "vscode";
import type { GatewayOptions } from "../gateway/types.ts";
import type { Settings } from "../settings/settings.ts";
import { modelOf } from "../settings/tokenLimits.ts";
import { quote } from "../text/safeText.ts";
import { openSetting } from "./actions.ts";
import type { Notifier } from "./notifier.ts";

/** Tells the user that the gateway rejects a model's reasoning effort, once per model and session. */
export function effortNotice(
  log: Pick<LogOutputChannel, "info">,
  settings: () => Pick<Settings, "models">,
  notifier: Pick<Notifier, "inform">,
): Required<GatewayOptions>["onDropped"] {
  const told = new Set<string>();
  return (model, fields) => {
    if (!fields.includes("reasoning_effort") || told.has(model)) return;
    told.add(model);
    log.info(`reasoning effort left out · ${quote(model)}`);
    const text = l10n.t(
      "For {0}, the gateway answers only without the reasoning effort you chose. The model decides how much it reasons.",
      modelOf(model, settings()).name,
    );
    void notifier.inform(text, openSetting("models"));
  };
}
