import { l10n, window } from "vscode";
import { openSetting } from "../failures/actions.ts";
import type { Action } from "../failures/notice.ts";
import type { OriginQuestion } from "../settings/keyGuard.ts";
import { quote } from "../text/safeText.ts";

/** Asks whether keys may be sent to an address they were not entered for. */
export async function confirmKeyOrigin({ origin, known, commands }: OriginQuestion): Promise<boolean> {
  const question = l10n.t("Send your API keys to {0}?", origin);
  const reason =
    known.length === 0
      ? l10n.t("No address was allowed for these keys yet. Allow this only if it is your gateway.")
      : l10n.t(
          "The keys were allowed for {0}, but the settings now point to {1}. Allow this only if you changed the address yourself.",
          known.join(", "),
          origin,
        );
  // Not cut after a few words, behind which something else could follow.
  const shown = commands.map((command) => quote(command.join(" "), 1_000));
  const printed = shown.map((command) => l10n.t("A key is printed by the command {0}.", command));
  const detail = [reason, ...new Set(printed)].join("\n");
  return await agreesTo(question, detail, l10n.t("Send Keys"), openSetting("baseUrl"));
}

/** Asks a question about addresses, with a button to agree and another one. */
export async function agreesTo(question: string, detail: string, title: string, other: Action): Promise<boolean> {
  const allow = { title };
  // VS Code focuses the first button of a modal dialog, which is never Cancel (1.139). Pressing Enter must not consent.
  const chosen = await window.showWarningMessage(question, { modal: true, detail }, other, allow);
  if (chosen === other) await other.run();
  return chosen === allow;
}
