import { l10n, window } from "vscode";
import { openSetting } from "../failures/actions.ts";
import type { OriginQuestion } from "../settings/keyGuard.ts";

/** Asks whether keys may go to an address they were not entered for. */
export async function confirmKeyOrigin({ origin, known }: OriginQuestion): Promise<boolean> {
  const question = l10n.t("Send your API keys to {0}?", origin);
  const detail =
    known.length === 0
      ? l10n.t("They were entered before an address was set. Allow it only if this is your gateway.")
      : l10n.t(
          "They were entered for {0}, and the settings now name {1}. Allow it only if you changed the address yourself.",
          known.join(", "),
          origin,
        );
  const allow = { title: l10n.t("Send Keys") };
  // VS Code puts the keyboard on the first button: Enter pressed unread must not be a yes.
  const look = openSetting("baseUrl");
  const chosen = await window.showWarningMessage(question, { modal: true, detail }, look, allow);
  if (chosen === look) await look.run();
  return chosen === allow;
}
