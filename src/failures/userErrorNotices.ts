import { l10n } from "vscode";
import { keyVariables } from "../settings/keys.ts";
import {
  retryOrLog,
  chooseModel,
  manageTrust,
  openBuiltInExtensions,
  openParticipant,
  openSetting,
  openSettings,
  openSourceControl,
  openWorkspaceSettings,
  reloadWindow,
  remedy,
  retryActions,
  showDiff,
  showLog,
} from "./actions.ts";
import type { FailedAction, Notice } from "./notice.ts";

/** The notice about what failed, which is quoted already. Without `brief`, that is the text. A text alone has no actions. */
export type NoticeOf = (subject: string, operation: FailedAction) => string | (Pick<Notice, "text"> & Partial<Notice>);

function noKeyFromCommand(text: (subject: string) => string): NoticeOf {
  return (subject, operation) => ({
    text: text(subject),
    actions: [...retryActions({}, operation), openSetting(`keyCommand.${operation.keyGroup}`), showLog()],
  });
}

/** The notice for every failure on the extension's side. */
export const userNotices = {
  keyNotStored: (_, operation) => ({
    text: l10n.t("VS Code's secret storage could not be changed. Check the system keyring, then try again."),
    actions: retryOrLog({}, operation),
  }),
  keyNotRead: (_, operation) => ({
    text: l10n.t(
      "VS Code's secret storage cannot be read. Check the system keyring, or set the key in the environment variable {0}.",
      keyVariables[operation.keyGroup],
    ),
    actions: retryOrLog({}, operation),
  }),
  keyCommandNotStarted: noKeyFromCommand((program) =>
    /\.(?:bat|cmd)$/i.test(program)
      ? l10n.t("The key command {0} cannot be started. Put cmd, /d, and /c before it.", program)
      : l10n.t("The key command {0} cannot be started. Use an absolute path or a name in PATH.", program),
  ),
  keyCommandFailed: noKeyFromCommand((failure) =>
    l10n.t("The key command failed: {0}. Run it in a terminal to see why.", failure),
  ),
  keyCommandTimeout: noKeyFromCommand((program) =>
    l10n.t("The key command {0} took longer than 30 seconds and was stopped.", program),
  ),
  keyCommandEmpty: noKeyFromCommand((program) =>
    l10n.t("The key command {0} printed no key. Run it in a terminal to see why.", program),
  ),
  keyCommandLines: noKeyFromCommand((program) =>
    l10n.t("The key command {0} printed several lines. It must print only the key.", program),
  ),
  keyCommandTooLong: noKeyFromCommand((program) =>
    l10n.t("The key command {0} printed more than 16 KB. It must print only the key.", program),
  ),
  keyCommandCharacters: noKeyFromCommand((program) =>
    l10n.t("The key command {0} printed words instead of a key. Run it in a terminal to see why.", program),
  ),
  linkRefused: (flaw) => ({
    text: l10n.t("This set-up link cannot be used: {0}. Ask whoever gave it to you for another one.", flaw),
    actions: [showLog()],
  }),
  linkNotCopied: (flaw) => ({
    text: l10n.t("No set-up link was copied, because nobody could use it: {0}. Correct the base URLs.", flaw),
    actions: [openSetting("baseUrl"), showLog()],
  }),
  settingsNotSaved: (_, operation) => ({
    text: l10n.t(
      "VS Code could not save the settings. Check that the settings file is saved, writable, and has no errors.",
    ),
    actions: retryOrLog({}, operation),
  }),
  chatUnavailable: () => ({
    text: l10n.t("VS Code's chat cannot be opened. Check that AI features are not disabled."),
    actions: [openSettings("chat.disableAIFeatures"), showLog()],
  }),
  chatRestricted: () => ({
    text: l10n.t("VS Code's chat is off in Restricted Mode. Trust the workspace, then try again."),
    actions: [manageTrust()],
  }),
  chatStaysOff: () => ({
    text: l10n.t(
      "VS Code did not turn on its chat, so your settings are as before. In the Extensions view, enable GitHub Copilot Chat among the built-in extensions, then try again.",
    ),
    actions: [openBuiltInExtensions(), showLog()],
  }),
  chatSetByWorkspace: (setting) => ({
    text: l10n.t(
      "VS Code's chat cannot use the gateway's models, because this workspace sets {0}. Remove the setting from the workspace's settings, then try again.",
      setting,
    ),
    actions: [openWorkspaceSettings(setting)],
  }),
  chatSetByPolicy: (setting) => ({
    text: l10n.t(
      "VS Code's chat cannot use the gateway's models, because a policy of your organization sets {0}. Ask your administrator to change it.",
      setting,
    ),
    actions: [openSettings(setting)],
  }),
  imageInput: () => ({
    text: l10n.t("Only images in PNG, JPEG, GIF, or WebP can be sent. Convert or remove the others, then ask again."),
    brief: l10n.t("Only images in PNG, JPEG, GIF, or WebP can be sent."),
  }),
  imagesTooLarge: () => ({
    text: l10n.t(
      "A question can have at most 20 MB of images, with those of earlier turns. Attach less, or start a new chat.",
    ),
    brief: l10n.t("A question can have at most 20 MB of images."),
  }),
  noTools: (_, { builtInChat }) => ({
    text: l10n.t(
      "Tools are off, or the gateway does not support them. VS Code's agent mode and built-in inline chat require tools. Use Ask in the Chat view, or @codex.",
    ),
    brief: l10n.t("Tools are off, or the gateway does not support them. Use Ask or @codex."),
    actions: [
      ...(builtInChat ? [openParticipant(builtInChat.question ?? "")] : []),
      openSetting("toolCalling"),
      showLog(),
    ],
  }),
  cutOff: () => ({
    text: l10n.t(
      "The answer is truncated: the model reached its output limit. Ask it to continue, or ask for a shorter answer.",
    ),
    brief: l10n.t("The answer is truncated."),
  }),
  filtered: () => ({
    text: l10n.t("The gateway's content filter stopped the answer. Rephrase your question."),
    brief: l10n.t("The gateway's content filter stopped the answer."),
  }),
  folderOutside: (folder) => ({
    text: l10n.t("The image folder “{0}” is not inside the workspace folder. Enter a relative path.", folder),
    actions: [openSetting("image.folder")],
  }),
  folderLinked: (folder, operation) => ({
    text: l10n.t(
      "The image folder {0} links to a location outside the workspace, so nothing is saved there. Choose another folder.",
      folder,
    ),
    actions: [...remedy(operation, "saveElsewhere"), openSetting("image.folder")],
  }),
  noEditor: () => l10n.t("Inline chat needs a text editor. Open a file, then try again."),
  tooManyLines: () =>
    l10n.t("The file has more than 100,000 lines, too many for inline chat. Ask @codex about a part of it."),
  fileDenied: (reason) =>
    l10n.t("Nothing was sent. {0} To send some of its lines anyway, select them, then ask again.", reason),
  selectionTooLong: (model) => ({
    text: l10n.t("The code is too long for {0}. Select less code.", model),
    actions: [openSetting("inlineChat.model")],
  }),
  notEditable: () => l10n.t("The file cannot be edited. Check that it is not read-only."),
  codeChanged: (answerId) => ({
    text: l10n.t(
      "The code has changed since you asked, so nothing was applied. Compare the two versions, or ask again.",
    ),
    actions: [showDiff(answerId)],
  }),
  editChanged: (answerId) => ({
    text: l10n.t(
      "The applied lines have been edited since, so they were left unchanged. Compare them with the original.",
    ),
    actions: [showDiff(answerId)],
  }),
  fileNotSaved: (path, operation) => ({
    text: l10n.t(
      "The image was generated, but could not be saved as {0}: the disk may be full, or the folder may be read-only. Retry downloads and saves the same image.",
      path,
    ),
    actions: [...retryActions({}, operation), ...remedy(operation, "saveElsewhere"), showLog()],
  }),
  exportNotSaved: (path, operation) => ({
    text: l10n.t(
      "The usage could not be saved as {0}: the disk may be full, or the folder may be read-only. Choose another folder.",
      path,
    ),
    actions: retryOrLog({}, operation),
  }),
  noDocument: () => l10n.t("No document is open. Open the document for the link, then try again."),
  linkOutside: (document) =>
    l10n.t(
      "{0} is not in the image's workspace folder, so a relative link would break. Copy its path instead, or move the image there.",
      document,
    ),
  imageGone: () =>
    l10n.t("The image is no longer listed in Codex Images. Its file, if it still exists, is in the Explorer."),
  editGone: () => l10n.t("This edit is no longer available. Ask for it again."),
  editRestricted: () => ({
    text: l10n.t("Files cannot be changed in Restricted Mode. Trust the workspace, then try again."),
    actions: [manageTrust()],
  }),
  editRefused: (reason) => l10n.t("Nothing was changed. {0}", reason),
  editNotWritten: (cause) => ({
    text: l10n.t(
      "The files could not be written ({0}), so all of them are as before. The disk may be full, or a file may be read-only.",
      cause,
    ),
    actions: [showLog()],
  }),
  editUnfinished: () => ({
    text: l10n.t(
      "This edit was not finished, so some of its files may be incomplete. The disk may be full, or a file may be read-only. Reload the window to restore them.",
    ),
    actions: [reloadWindow(), showLog()],
  }),
  gitUnavailable: () => ({
    text: l10n.t("VS Code's Git extension is not available. Check that Git is installed and enabled."),
    actions: [openSettings("git.enabled"), showLog()],
  }),
  gitRestricted: () => ({
    text: l10n.t("Git is not available in Restricted Mode. Trust the workspace, then try again."),
    actions: [manageTrust()],
  }),
  noRepository: () => ({
    text: l10n.t("No Git repository is open. Open a folder that is in a repository, or initialize one."),
    actions: [openSourceControl()],
  }),
  nothingChanged: (repository) => ({
    text: l10n.t("There are no changes in {0} to describe. Save your changes, then try again.", repository),
    actions: [openSourceControl()],
  }),
  onlySecretFiles: () => ({
    text: l10n.t("All changed files may contain secrets, so nothing was sent. Stage other files, then try again."),
    actions: [openSourceControl()],
  }),
  mergeInProgress: (repository) => ({
    text: l10n.t(
      "A merge is in progress in {0}, so Git's own message is kept. Resolve the conflicts, if there are any, and commit.",
      repository,
    ),
    actions: [openSourceControl()],
  }),
  changesTooLong: (model, operation) => ({
    text: l10n.t(
      "The changes are too long for the model “{0}”, even shortened. Choose a model that accepts more.",
      model,
    ),
    actions: [chooseModel(operation)],
  }),
  nothingToReview: (repository) => ({
    text: l10n.t("There are no changes in {0} that can be reviewed. Save your changes, then try again.", repository),
    actions: [openSourceControl()],
  }),
  noReview: (_, operation) => ({
    text: l10n.t("The model returned no review. Try again, or choose another model."),
    actions: [...retryActions({}, operation), chooseModel(operation)],
  }),
  noMessage: (_, operation) => ({
    text: l10n.t("The model returned no commit message. Try again, or choose another model."),
    actions: [...retryActions({}, operation), openSetting("commitMessage.model")],
  }),
  notContinued: (_, operation) => ({
    text: l10n.t(
      "The model did not continue what you typed, so nothing was inserted. Shorten the text or complete its last word, then try again.",
    ),
    actions: [...retryActions({}, operation), openSetting("commitMessage.model")],
  }),
  boxChanged: (_, operation) => ({
    text: l10n.t(
      "The input box changed while the message was being written, so nothing was inserted. Retry continues what is there now.",
    ),
    actions: retryActions({}, operation),
  }),
  documentReadOnly: (document) =>
    l10n.t("{0} cannot be edited, so the link was not inserted. Copy the path of the image instead.", document),
} satisfies Record<string, NoticeOf>;
