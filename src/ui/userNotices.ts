import { l10n } from "vscode";
import { again, openSetting, openSettings, showLog } from "./actions.ts";
import type { Notice, Operation } from "./notices.ts";
import { quote } from "./quote.ts";
import type { UserError, UserErrorKind } from "./userError.ts";

/** What users read about each failure on this side of the gateway. */
export const userNotices: Record<UserErrorKind, (error: UserError, operation: Operation) => Notice> = {
  keyNotStored: () => ({
    text: l10n.t("VS Code's secret storage did not take the key. Check the system's keyring, then try again."),
    actions: [showLog()],
  }),
  chatUnavailable: () => ({
    text: l10n.t("VS Code's chat cannot be opened. Check that its AI features are not disabled."),
    actions: [openSettings("chat.disableAIFeatures"), showLog()],
  }),
  folderOutside: (error) => ({
    text: l10n.t(
      "The image folder “{0}” is not inside the workspace folder. Enter a relative path.",
      quote(error.subject),
    ),
    actions: [openSetting("image.folder")],
  }),
  fileNotSaved: (error, operation) => ({
    text: l10n.t(
      "The image was made, but not saved as {0}. Check that the folder can be written.",
      quote(error.subject),
    ),
    actions: again(operation),
  }),
};
