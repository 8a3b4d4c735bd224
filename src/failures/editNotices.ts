import { l10n } from "vscode";
import { quote } from "../text/safeText.ts";
import { manageTrust, showLog } from "./actions.ts";
import type { UserNotice } from "./notice.ts";
import type { UserError, UserErrorKind } from "./userError.ts";

/** What can fail when an edit of several files is applied or undone. */
type EditErrorKind = Extract<
  UserErrorKind,
  "editGone" | "editRestricted" | "editRefused" | "editChangedSince" | "editNotWritten"
>;

/** The notices for edits of several files. */
export const editNotices: Record<EditErrorKind, (error: UserError) => UserNotice> = {
  editGone: () => ({
    text: l10n.t("This edit is no longer available. Ask for it again."),
    actions: [],
  }),
  editRestricted: () => ({
    text: l10n.t("Files cannot be changed in Restricted Mode. Trust the workspace, then try again."),
    actions: [manageTrust()],
  }),
  editRefused: (error) => ({
    text: l10n.t("Nothing was changed. {0}", quote(error.subject)),
    actions: [],
  }),
  editChangedSince: (error) => ({
    text: l10n.t(
      "Nothing was changed, because these files have changed since the answer: {0}. Ask again.",
      quote(error.subject),
    ),
    actions: [],
  }),
  editNotWritten: (error) => ({
    text: l10n.t(
      "The files could not be written, so all of them are as before. The disk may be full, or a file may be read-only. ({0})",
      quote(error.subject),
    ),
    actions: [showLog()],
  }),
};
