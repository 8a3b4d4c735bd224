import { l10n, window, workspace } from "vscode";
import { openSetting } from "../failures/actions.ts";
import { saving } from "../failures/userError.ts";
import { prefix } from "../manifest.ts";
import type { Services } from "../services.ts";
import { changeSetting } from "../settings/changeSetting.ts";
import { pickRow, type Row } from "../ui/pickRow.ts";
import { setMode } from "./completionNotices.ts";
import type { CompletionSnooze } from "./completionSnooze.ts";

/** What the commands for completions need. */
export interface CompletionServices extends Pick<Services, "settings"> {
  readonly completionSnooze: CompletionSnooze;
}

export const completionCommands = {
  "completions.configure": configure,
  "completions.switchLanguage": ({ settings }: CompletionServices): Promise<void> => switchLanguage(settings()),
  "completions.pause": ({ completionSnooze }: CompletionServices): Promise<void> => completionSnooze.start(),
  "completions.resume": ({ completionSnooze }: CompletionServices): Promise<void> => completionSnooze.end(),
};

/** Lets the user choose when and where completions are shown. */
async function configure({ settings, completionSnooze }: CompletionServices): Promise<void> {
  const { completionsMode, languagesWithoutCompletions } = settings();
  const rows: Record<typeof completionsMode, Row> = {
    automatic: {
      label: l10n.t("While Typing"),
      detail: l10n.t("A request is sent when you pause. Each costs tokens."),
      run: () => setMode("automatic"),
    },
    onDemand: {
      label: l10n.t("On Demand"),
      detail: l10n.t("A request is sent when you press Alt+\\ (Option+\\ on macOS)."),
      run: () => setMode("onDemand"),
    },
    off: { label: l10n.t("Off"), detail: l10n.t("Nothing is sent."), run: () => setMode("off") },
  };
  const languageId = window.activeTextEditor?.document.languageId;
  const more: readonly Row[] = [
    ...(languageId === undefined
      ? []
      : [
          {
            label: languagesWithoutCompletions.has(languageId)
              ? l10n.t("Turn On for the Language {0}", languageId)
              : l10n.t("Turn Off for the Language {0}", languageId),
            run: () => switchLanguage(settings()),
          },
        ]),
    completionSnooze.until === undefined
      ? { label: l10n.t("Pause for an Hour"), run: () => completionSnooze.start() }
      : { label: l10n.t("Resume"), run: () => completionSnooze.end() },
    { label: l10n.t("Open Settings"), run: openSetting("completions.mode").run },
  ];
  const modes = [rows.off, rows.onDemand, rows.automatic];
  const isOff = completionsMode === "off";
  await pickRow({
    title: l10n.t("Completions"),
    placeholder: l10n.t("Select when the model suggests code"),
    sections: [
      { name: l10n.t("when"), rows: modes },
      ...(isOff ? [] : [{ name: l10n.t("where and how long"), rows: more }]),
    ],
    active: rows[completionsMode],
  });
}

/** Switches completions on or off for the language of the active editor. */
async function switchLanguage({
  languagesWithoutCompletions,
}: Pick<ReturnType<Services["settings"]>, "languagesWithoutCompletions">): Promise<void> {
  const languageId = window.activeTextEditor?.document.languageId;
  if (languageId === undefined) return;
  const turnsOn = languagesWithoutCompletions.has(languageId);
  await saving(() => changeSetting(workspace.getConfiguration(prefix), "completions.languages", turnsOn, [languageId]));
}
