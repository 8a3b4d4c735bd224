import { l10n } from "vscode";
import type { WaitingEvent } from "../../gateway/types.ts";

/** What a user reads while nothing comes. */
export function waitingText({ type, delay = 0 }: Pick<WaitingEvent, "type" | "delay">): string {
  const seconds = Math.ceil(delay / 1000);
  if (type === "thinking") return l10n.t("The model is thinking…");
  if (type === "unresponsive") return l10n.t("The gateway has not answered for a while…");
  return seconds > 1 ? l10n.t("Trying again in {0} s…", seconds) : l10n.t("Trying again…");
}
