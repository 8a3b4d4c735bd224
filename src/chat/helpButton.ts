import { type Command, l10n } from "vscode";
import type { GatewayErrorKind } from "../gateway/errors.ts";
import type { KeyGroup } from "../gateway/types.ts";
import { type CommandName, prefix } from "../manifest.ts";

/** The button below a failure in the chat, where one of the extension's commands remedies it. */
export function helpButton(kind: GatewayErrorKind, keyGroup: KeyGroup): Command | undefined {
  // There is but one image model.
  if (kind === "modelNotFound" && keyGroup === "image") return undefined;
  const help = helps[kind];
  return help && { command: `${prefix}.${help.command}`, title: help.title(), arguments: [keyGroup] };
}

const setApiKey = { command: "setApiKey", title: () => l10n.t("Set API Key") } as const;

const helps: Partial<Record<GatewayErrorKind, { readonly command: CommandName; readonly title: () => string }>> = {
  noEntry: { command: "setUp", title: () => l10n.t("Set Up") },
  noKey: setApiKey,
  keyNotAllowed: { command: "setUp", title: () => l10n.t("Set Up") },
  unauthorized: setApiKey,
  modelNotFound: { command: "selectModel", title: () => l10n.t("Select Model") },
};
