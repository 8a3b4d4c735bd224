import { l10n, type LogOutputChannel, window } from "vscode";
import type { GatewayOptions } from "../gateway/types.ts";
import type { Settings } from "../settings/settings.ts";
import { quote } from "../text/safeText.ts";
import { openSetting } from "./actions.ts";

/** What the notice needs. */
interface Needs {
  readonly log: Pick<LogOutputChannel, "info">;
  readonly settings: () => Pick<Settings, "models">;
}

/** Tells the user that the gateway rejects a model's reasoning effort, once per model and session. */
export function effortNotice({ log, settings }: Needs): Required<GatewayOptions>["onDropped"] {
  const told = new Set<string>();
  return (model, fields) => {
    if (!fields.includes("reasoning_effort") || told.has(model)) return;
    told.add(model);
    log.info(`reasoning effort left out · ${quote(model)}`);
    void show(settings().models.find(({ id }) => id === model)?.name ?? quote(model));
  };
}

async function show(name: string): Promise<void> {
  const text = l10n.t(
    "For {0}, the gateway answers only without the reasoning effort you chose. The model decides how much it reasons.",
    name,
  );
  const chosen = await window.showInformationMessage(text, openSetting("models"));
  await chosen?.run();
}
