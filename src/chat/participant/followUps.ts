import { type ChatFollowup, l10n } from "vscode";
import { isTask, type Task } from "../../text/tasks.ts";

/** Follow-up suggestions by task. Other answers get none. */
const next: Readonly<Record<Task, () => readonly ChatFollowup[]>> = {
  explain: () => [
    { prompt: "", command: "fix", label: l10n.t("Check this code for mistakes") },
    { prompt: "", command: "doc", label: l10n.t("Document this code") },
  ],
  fix: () => [{ prompt: "", command: "tests", label: l10n.t("Write tests for the fix") }],
  tests: () => [{ prompt: l10n.t("Which cases do these tests not cover?"), label: l10n.t("Ask what is not covered") }],
  doc: () => [{ prompt: "", command: "tests", label: l10n.t("Write tests for this code") }],
};

/** The follow-ups under an answer to a command. */
export function followUpsOf(command: string | undefined): ChatFollowup[] {
  return isTask(command) ? [...next[command]()] : [];
}
