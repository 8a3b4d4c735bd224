import { commands, l10n } from "vscode";
import type { KeyGroup } from "../gateway/types.ts";
import { type CommandName, prefix, type SettingName } from "../manifest.ts";
import type { Operation } from "./notices.ts";

/** A button of a notification. */
export interface Action {
  readonly title: string;
  readonly run: () => Thenable<unknown>;
}

/** Asks for the key of a group. */
export function setApiKey(group: KeyGroup): Action {
  return { title: l10n.t("Set API Key"), run: () => runOwn("setApiKey", group) };
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

/** Does once more what failed, where that makes sense. */
export function retry({ retry }: Pick<Operation, "retry">): readonly Action[] {
  return retry ? [{ title: l10n.t("Retry"), run: retry }] : [];
}

/** For failures that may pass: once more, or a look into the log. */
export function again(operation: Operation): readonly Action[] {
  return [...retry(operation), showLog()];
}

function runOwn(name: CommandName, ...args: readonly unknown[]): Thenable<unknown> {
  return commands.executeCommand(`${prefix}.${name}`, ...args);
}
