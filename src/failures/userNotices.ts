import { l10n } from "vscode";
import { keyVariables } from "../settings/keys.ts";
import { quote } from "../text/safeText.ts";
import { again, openSetting, openSettings, remedy, repeat, showDiff, showLog } from "./actions.ts";
import type { Notice, FailedAction } from "./notice.ts";
import type { UserError, UserErrorKind } from "./userError.ts";

/** `brief` only where a chat shows the text too. */
type UserNotice = Omit<Notice, "brief"> & Partial<Pick<Notice, "brief">>;

/** What users read about each failure on this side of the gateway. */
export const userNotices: Record<UserErrorKind, (error: UserError, operation: FailedAction) => UserNotice> = {
  keyNotStored: () => ({
    text: l10n.t("VS Code's secret storage did not take the key. Check the system's keyring, then try again."),
    actions: [showLog()],
  }),
  keyNotRead: (_, operation) => ({
    text: l10n.t(
      "VS Code's secret storage cannot be read. Check the system's keyring, or set the key in the environment variable {0}.",
      keyVariables[operation.keyGroup],
    ),
    actions: again({ retryAfter: undefined }, operation),
  }),
  settingsNotSaved: (_, operation) => ({
    text: l10n.t("VS Code did not save the settings. Check that its settings file can be written and has no errors."),
    actions: again({ retryAfter: undefined }, operation),
  }),
  chatUnavailable: () => ({
    text: l10n.t("VS Code's chat cannot be opened. Check that its AI features are not disabled."),
    actions: [openSettings("chat.disableAIFeatures"), showLog()],
  }),
  imageInput: () => ({
    text: l10n.t("The gateway's models take no images. Remove the image and ask again."),
    brief: l10n.t("The gateway's models take no images."),
    actions: [],
  }),
  noTools: () => ({
    text: l10n.t(
      "This gateway takes no tools, which VS Code's agent mode and its built-in inline chat need. Use Ask in the Chat view, or @codex.",
    ),
    brief: l10n.t("This gateway takes no tools. Use Ask."),
    actions: [openSetting("toolCalling"), showLog()],
  }),
  cutOff: () => ({
    text: l10n.t("The answer is cut off at the longest length of an answer. Ask for the rest, or for a shorter one."),
    brief: l10n.t("The answer is cut off."),
    actions: [],
  }),
  filtered: () => ({
    text: l10n.t("The gateway's content filter cut the answer off. Ask in other words."),
    brief: l10n.t("The gateway's content filter cut the answer off."),
    actions: [],
  }),
  folderOutside: (error) => ({
    text: l10n.t(
      "The image folder “{0}” is not inside the workspace folder. Enter a relative path.",
      quote(error.subject),
    ),
    actions: [openSetting("image.folder")],
  }),
  folderLinked: (error, operation) => ({
    text: l10n.t(
      "The image folder {0} is a link that leads out of the workspace, so nothing is saved there. Choose another folder.",
      quote(error.subject),
    ),
    actions: [...remedy(operation, "saveElsewhere"), openSetting("image.folder")],
  }),
  noEditor: () => ({ text: l10n.t("Inline chat needs a text editor. Open a file, then try again."), actions: [] }),
  selectionTooLong: (error) => ({
    text: l10n.t("The code is longer than {0} can read. Select less of it.", quote(error.subject)),
    actions: [openSetting("inlineChat.model")],
  }),
  notEditable: () => ({
    text: l10n.t("The file cannot be changed. Check that it is not read-only."),
    actions: [],
  }),
  codeChanged: (error) => ({
    text: l10n.t("The code has changed since the question, so nothing was applied. Compare the two, or ask again."),
    actions: [showDiff(error.subject)],
  }),
  editChanged: (error) => ({
    text: l10n.t("The applied lines were edited since, so they were left alone. Compare them with what stood there."),
    actions: [showDiff(error.subject)],
  }),
  fileNotSaved: (error, operation) => ({
    text: l10n.t(
      "The image was made, but not saved as {0}: the disk may be full, or the folder read-only. Retry fetches and saves the same image.",
      quote(error.subject),
    ),
    actions: [...repeat({ retryAfter: undefined }, operation), ...remedy(operation, "saveElsewhere"), showLog()],
  }),
  noDocument: () => ({
    text: l10n.t("No document is open. Open the one that gets the link, then insert it."),
    actions: [],
  }),
  linkOutside: (error) => ({
    text: l10n.t(
      "The image is not in the workspace folder of {0}, so a relative link would not last. Copy its path instead, or move the image there.",
      quote(error.subject),
    ),
    actions: [],
  }),
  documentReadOnly: (error) => ({
    text: l10n.t("The link was not inserted, because {0} cannot be edited.", quote(error.subject)),
    actions: [],
  }),
};
