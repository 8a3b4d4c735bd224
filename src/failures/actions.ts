import { commands, l10n } from "vscode";
import type { GatewayError } from "../gateway/errors.ts";
import type { KeyGroup } from "../gateway/types.ts";
import { type CommandName, participantName, prefix, type SettingName } from "../manifest.ts";
import type { Action, FailedAction, Remedy } from "./notice.ts";

/** Argument of `setUp`: leave out the test at its end, because something else follows. */
export const goOn = "goOn";

/** A wait that is over while its notice is being read, in milliseconds. */
const shortWait = 5_000;

/** Asks for everything that is missing, then goes on with what the user wanted. */
export function setUp({ retry }: Pick<FailedAction, "retry">): Action {
  return {
    ...calling(l10n.t("Set Up"), `${prefix}.setUp`),
    run: async () => (await runOwn("setUp", retry && goOn)) === true && retry?.(),
  };
}

/** Asks for the key of a group, then goes on with what the user wanted. */
export function setApiKey(group: KeyGroup, { retry }: Pick<FailedAction, "retry">): Action {
  return {
    ...calling(l10n.t("Set API Key"), `${prefix}.setApiKey`, group),
    run: async () => (await runOwn("setApiKey", group)) === true && retry?.(),
  };
}

/** Shows one of the extension's settings. */
export function openSetting(name: SettingName): Action {
  return openSettings(`${prefix}.${name}`);
}

/** Shows any setting of VS Code. */
export function openSettings(id: string): Action {
  return calling(l10n.t("Open Settings"), "workbench.action.openSettings", `@id:${id}`);
}

/** Lets another model be chosen, at the place that decides. */
export function chooseModel({ modelFrom = "chat.model" }: Pick<FailedAction, "modelFrom">): Action {
  if (modelFrom === "inlineChat.model") return openSetting(modelFrom);
  // The picker's command is not documented; seen in VS Code 1.139.
  const command = modelFrom === "picker" ? "workbench.action.chat.openModelPicker" : `${prefix}.selectModel`;
  return calling(l10n.t("Select Model"), command);
}

/** Finds out which entries answer and which keys they take. */
export function testConnection(): Action {
  return calling(l10n.t("Test Connection"), `${prefix}.testConnection`);
}

/** Shows the log channel. */
export function showLog(): Action {
  return { ...calling(l10n.t("Show Log"), `${prefix}.showLog`), isLog: true };
}

/** Shows the change of an inline answer beside the code. */
export function showDiff(answerId: string): Action {
  return calling(l10n.t("Show Diff"), `${prefix}.inlineChat.showDiff`, answerId);
}

/** Does once more what failed, where that makes sense and there is nothing to wait for first. */
export function repeat(
  { retryAfter = 0 }: Pick<GatewayError, "retryAfter">,
  operation: FailedAction,
): readonly Action[] {
  const { retry, retryCall, builtInChat } = operation;
  if (retryAfter > shortWait) return [];
  if (retry) return [{ title: l10n.t("Retry"), run: retry, ...(retryCall && { call: retryCall }) }];
  return builtInChat?.question === undefined ? [] : [askParticipant(builtInChat.question)];
}

/** For failures that may pass: once more, or a look at what is wrong. */
export function again(error: Pick<GatewayError, "retryAfter">, operation: FailedAction): readonly Action[] {
  return [...repeat(error, operation), ...(operation.builtInChat ? [testConnection()] : []), showLog()];
}

/** A way out of the operation's own, where it has it. */
export function remedy({ remedies }: Pick<FailedAction, "remedies">, name: Remedy): readonly Action[] {
  const run = remedies?.[name];
  return run ? [{ title: remedyTitles[name](), run }] : [];
}

const remedyTitles: Record<Remedy, () => string> = {
  square: () => l10n.t("Use 1024x1024"),
  saveElsewhere: () => l10n.t("Save Elsewhere…"),
  orderAgain: () => l10n.t("Generate Again"),
  forget: () => l10n.t("Discard"),
};

/** Runs one of the extension's commands behind its guard. */
export function runOwn(name: CommandName, ...args: readonly unknown[]): Thenable<unknown> {
  return commands.executeCommand(`${prefix}.${name}`, ...args);
}

/** Puts a question into the chat's input for `@codex`, to be sent by the user. */
function askParticipant(question: string): Action {
  const query = `@${participantName} ${question}`;
  return calling(l10n.t("Ask @codex"), "workbench.action.chat.open", { query, isPartialQuery: true });
}

function calling(title: string, command: string, ...args: readonly unknown[]): Action {
  return { title, call: { command, arguments: [...args] }, run: () => commands.executeCommand(command, ...args) };
}
