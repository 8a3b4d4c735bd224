import { commands, l10n } from "vscode";
import type { KeyGroup } from "../gateway/types.ts";
import { type CommandName, prefix, type SettingName } from "../manifest.ts";
import type { Operation, Remedy } from "./notices.ts";

/** Argument of `setUp`: leave out the test at its end, because something else follows. */
export const goOn = "goOn";

/** A button of a notification. */
export interface Action {
  readonly title: string;
  readonly run: () => Thenable<unknown>;
}

/** Asks for everything that is missing, then goes on with what the user wanted. */
export function setUp({ retry }: Pick<Operation, "retry">): Action {
  return { title: l10n.t("Set Up"), run: async () => (await runOwn("setUp", retry && goOn)) === true && retry?.() };
}

/** Asks for the key of a group, then goes on with what the user wanted. */
export function setApiKey(group: KeyGroup, { retry }: Pick<Operation, "retry">): Action {
  return { title: l10n.t("Set API Key"), run: async () => (await runOwn("setApiKey", group)) === true && retry?.() };
}

/** Shows one of the extension's settings. */
export function openSetting(name: SettingName): Action {
  return openSettings(`${prefix}.${name}`);
}

/** Shows any setting of VS Code. */
export function openSettings(id: string): Action {
  return {
    title: l10n.t("Open Settings"),
    run: () => commands.executeCommand("workbench.action.openSettings", `@id:${id}`),
  };
}

/** Shows the log channel. */
export function showLog(): Action {
  return { title: l10n.t("Show Log"), run: () => runOwn("showLog") };
}
/** Shows the change of an inline answer beside the code. */
export function showDiff(answerId: string): Action {
  return { title: l10n.t("Show Diff"), run: () => runOwn("inlineChat.showDiff", answerId) };
}

/** Does once more what failed, where that makes sense. */
export function retry({ retry }: Pick<Operation, "retry">): readonly Action[] {
  return retry ? [{ title: l10n.t("Retry"), run: retry }] : [];
}

/** A way out of the operation's own, where it has it. */
export function remedy({ remedies }: Pick<Operation, "remedies">, name: Remedy): readonly Action[] {
  const run = remedies?.[name];
  return run ? [{ title: remedyTitles[name](), run }] : [];
}

const remedyTitles: Record<Remedy, () => string> = {
  square: () => l10n.t("Use 1024x1024"),
  saveElsewhere: () => l10n.t("Save Elsewhere…"),
  orderAgain: () => l10n.t("Generate Again"),
  forget: () => l10n.t("Forget It"),
};

/** For failures that may pass: once more, or a look into the log. */
export function again(operation: Operation): readonly Action[] {
  return [...retry(operation), showLog()];
}

/** Runs one of the extension's commands behind its guard. */
export function runOwn(name: CommandName, ...args: readonly unknown[]): Thenable<unknown> {
  return commands.executeCommand(`${prefix}.${name}`, ...args);
}
