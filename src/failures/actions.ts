import { commands, env, l10n } from "vscode";
import type { GatewayErrorDetails } from "../gateway/errors.ts";
import type { KeyGroup } from "../gateway/types.ts";
import { type CommandName, machineSettings, participantName, prefix, type SettingName } from "../manifest.ts";
import { keyCommandOf } from "../settings/keyCommandSetting.ts";
import type { Action, FailedAction, Remedy } from "./notice.ts";

/** Argument of `setUp`: skips the final test, because a retry follows. */
export const proceed = "proceed";

/** Argument of `useForAiFeatures`: makes only the changes that the notification has named. */
export const keepUsing = "keepUsing";

/** Wait that ends while the notice is being read, in milliseconds. */
const shortWait = 5_000;

/** Action: runs set-up, then retries. */
export function setUp({ retry }: Pick<FailedAction, "retry">): Action {
  return {
    ...commandAction(l10n.t("Set Up"), `${prefix}.setUp`),
    retries: retry !== undefined,
    run: async () => (await runOwn("setUp", retry && proceed)) === true && retry?.(),
  };
}

/** Action: asks for a group's key, then retries. If a command prints the key, opens its setting instead. */
export function setApiKey(group: KeyGroup, { retry }: Pick<FailedAction, "retry">): Action {
  if (keyCommandOf(group).length > 0) return openSetting(`keyCommand.${group}`);
  return {
    ...commandAction(l10n.t("Set API Key"), `${prefix}.setApiKey`, group),
    retries: retry !== undefined,
    run: async () => (await runOwn("setApiKey", group)) === true && retry?.(),
  };
}

/** Actions that run one command. */
export const openSetting = (name: SettingName): Action =>
  // In a remote window, the User tab does not have them (VS Code 1.139.1).
  env.remoteName !== undefined && machineSettings.has(name)
    ? commandAction(l10n.t("Open Settings"), "workbench.action.openRemoteSettings", { query: `@id:${prefix}.${name}` })
    : openSettings(`${prefix}.${name}`);
export const openSettings = (id: string): Action =>
  commandAction(l10n.t("Open Settings"), "workbench.action.openSettings", `@id:${id}`);
export const openWorkspaceSettings = (id: string): Action =>
  commandAction(l10n.t("Open Settings"), "workbench.action.openWorkspaceSettings", { query: `@id:${id}` });
export const openSourceControl = (): Action => commandAction(l10n.t("Open Source Control"), "workbench.view.scm");
export const openBuiltInExtensions = (): Action =>
  commandAction(l10n.t("Open Extensions"), "workbench.extensions.search", "@builtin copilot");
export const manageTrust = (): Action => commandAction(l10n.t("Manage Workspace Trust"), "workbench.trust.manage");
export const reloadWindow = (): Action => commandAction(l10n.t("Reload Window"), "workbench.action.reloadWindow");
export const setTokenLimit = (model: string, maxInputTokens: number): Action =>
  commandAction(l10n.t("Set Limit"), `${prefix}.setTokenLimit`, { model, maxInputTokens });
export const testConnection = (): Action => commandAction(l10n.t("Test Connection"), `${prefix}.testConnection`);
const showLogCommand = `${prefix}.showLog`;
export const showLog = (): Action => commandAction(l10n.t("Show Log"), showLogCommand);
/** Whether an action only shows the log, without fixing anything. */
export const isShowLog = ({ call }: Action): boolean => call?.command === showLogCommand;
export const showDiff = (answerId: string): Action =>
  commandAction(l10n.t("Show Diff"), `${prefix}.inlineChat.showDiff`, answerId);

/** Action: opens the Chat view with `@codex`, and a question that is not sent yet. */
export function openParticipant(question: string): Action {
  const query = `@${participantName} ${question}`;
  return commandAction(l10n.t("Open Chat with @codex"), "workbench.action.chat.open", { query, isPartialQuery: true });
}

/** Action: lets the user choose another model, at the place that determines it. */
export function chooseModel({ modelFrom = "chat.model" }: Pick<FailedAction, "modelFrom">): Action {
  if (modelFrom === "utility") return openSettings("chat.utilitySmallModel");
  if (modelFrom !== "chat.model" && modelFrom !== "picker") return openSetting(modelFrom);
  // Undocumented command of the model picker (seen in VS Code 1.139).
  const command = modelFrom === "picker" ? "workbench.action.chat.openModelPicker" : `${prefix}.selectModel`;
  return commandAction(l10n.t("Select Model"), command);
}

type Wait = Pick<GatewayErrorDetails, "retryAfter">;

/** Action: retries, if possible. The title shows whether that is before the time that the gateway names. */
export function retryActions(
  { retryAfter = 0 }: Wait,
  { retry, retryCall, builtInChat }: FailedAction,
): readonly Action[] {
  const hasToWait = retryAfter > shortWait;
  const title = hasToWait ? l10n.t("Try Now") : l10n.t("Retry");
  if (retry) return [{ title, run: retry, ...(retryCall && { call: retryCall }) }];
  if (hasToWait || builtInChat?.question === undefined) return [];
  return [commandAction(l10n.t("Try Again"), "workbench.action.chat.open", { query: builtInChat.question })];
}

/** Actions for transient failures: retry, if possible, and show the log. */
export function retryOrLog(error: Wait, operation: FailedAction): readonly Action[] {
  return [...retryActions(error, operation), ...(operation.builtInChat ? [testConnection()] : []), showLog()];
}

/** The operation's own remedy, if any. */
export function remedy({ remedies }: Pick<FailedAction, "remedies">, name: Remedy): readonly Action[] {
  const run = remedies?.[name];
  return run ? [{ title: remedyTitles[name](), run }] : [];
}

const remedyTitles: Record<Remedy, () => string> = {
  square: () => l10n.t("Use 1024x1024"),
  saveElsewhere: () => l10n.t("Save Elsewhere…"),
  orderAgain: () => l10n.t("Generate Again"),
  discard: () => l10n.t("Discard"),
};

/** Runs one of the extension's commands. */
export function runOwn(name: CommandName, ...args: readonly unknown[]): Thenable<unknown> {
  return commands.executeCommand(`${prefix}.${name}`, ...args);
}

function commandAction(title: string, command: string, ...args: readonly unknown[]): Action {
  return { title, call: { command, arguments: [...args] }, run: () => commands.executeCommand(command, ...args) };
}
