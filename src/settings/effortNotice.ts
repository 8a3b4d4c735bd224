import { l10n, type LogOutputChannel } from "vscode";
import { quote } from "../text/safeText.ts";
import type { Settings } from "./settings.ts";
import { modelOf } from "./tokenLimits.ts";

/** Shows once per model and session that the gateway rejects its reasoning effort. */
export function effortNotice(
  log: Pick<LogOutputChannel, "info">,
  settings: () => Pick<Settings, "models">,
  show: (text: string) => void,
): (model: string, fields: readonly string[]) => void {
  const shown = new Set<string>();
  return (model, fields) => {
    if (!fields.includes("reasoning_effort") || shown.has(model)) return;
    shown.add(model);
    log.info(`reasoning effort omitted · ${quote(model)}`);
    const text = l10n.t(
      "The reasoning effort you chose was not sent to {0}, because the gateway does not accept it or your settings turn it off. The model decides how much it reasons.",
      modelOf(model, settings()).name,
    );
    show(text);
  };
}
