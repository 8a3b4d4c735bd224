import { l10n, window } from "vscode";
import { openSetting } from "../failures/actions.ts";
import { saving } from "../failures/userError.ts";
import { sentences } from "../failures/sentences.ts";
import type { KeyGroup } from "../gateway/types.ts";
import type { Services } from "../services.ts";
import { originsOf } from "../settings/connection.ts";
import { keyFlaw, keyGroups, type Keys, type KeySource, keyVariables } from "../settings/keys.ts";
import { showMessage } from "../ui/showMessage.ts";
import { testConnection } from "./testConnection.ts";
import { isUnfinished } from "./useInChat.ts";

/** Asks for the key of a group and stores it. Returns `true` when done. A stored key is never shown. */
export async function setApiKey(
  services: Pick<Services, "gateway" | "keys" | "settings" | "state">,
  argument?: unknown,
): Promise<boolean> {
  const { keys, settings } = services;
  const given = keyGroups.find((name) => name === argument);
  const group = given ?? (await pickKeyGroup(keys, keyGroups, l10n.t("Which key do you want to set?")));
  if (group === undefined) return false;
  if (keys.command(group)) {
    // A stored key would not be used.
    await openSetting(`keyCommand.${group}`).run();
    return false;
  }
  const origins = originsOf(settings());
  const key = await askKey(group, origins);
  if (key === undefined) return false;
  await saving(() => keys.store(group, key.trim(), origins), "keyNotStored");
  void showMessage("Information", l10n.t("The API key of the {0} group was saved.", group));
  // Started by the user, and not by a notification that retries.
  if (argument === undefined && isUnfinished(services)) await testConnection(services);
  return true;
}

/** Asks for the key of a group; `undefined` if the user cancels. */
export async function askKey(group: KeyGroup, origins: readonly string[]): Promise<string | undefined> {
  for (;;) {
    const key = await window.showInputBox({
      title: l10n.t("API key of the {0} group", group),
      prompt:
        origins.length === 0
          ? l10n.t("The key is stored in VS Code's secret storage and sent only to your gateway.")
          : l10n.t("The key is stored in VS Code's secret storage and sent only to {0}.", origins.join(", ")),
      placeHolder: "sk-…",
      password: true,
      ignoreFocusOut: true,
      validateInput: (text) => keyFlaw(text, l10n),
    });
    if (key === undefined || (await confirmUnusualKey(key))) return key;
  }
}

/** Asks whether to use a key of an unusual form, which other gateways may use. */
export async function confirmUnusualKey(typed: string): Promise<boolean> {
  if (typed.trim().startsWith("sk-")) return true;
  const use = { label: l10n.t("Use This Key") };
  const title = l10n.t("The key does not start with sk-. Use it anyway?");
  const another = { label: l10n.t("Enter Another Key") };
  return (await window.showQuickPick([another, use], { title, ignoreFocusOut: true })) === use;
}

/** Removes what is stored for a group after a confirmation, and shows what still provides a key. */
export async function removeApiKey({ keys, notifier }: Pick<Services, "keys" | "notifier">): Promise<void> {
  const areStored = await saving(() => Promise.all(keyGroups.map((group) => keys.isStored(group))), "keyNotRead");
  const stored = new Set(keyGroups.filter((_, index) => areStored[index]));
  const groups = keyGroups.filter((group) => stored.has(group) || keys.command(group));
  if (groups.length === 0) {
    const found = await Promise.all(keyGroups.map((group) => keys.source(group)));
    const variables = keyGroups
      .filter((_, index) => found[index] === "environment")
      .map((group) => keyVariables[group]);
    const others = variables.length > 0 ? l10n.t("Set in the environment: {0}.", variables.join(", ")) : "";
    void notifier.inform(sentences(l10n.t("No API key is stored."), others));
    return;
  }
  const group = await pickKeyGroup(keys, groups, l10n.t("Which key do you want to remove?"));
  if (group === undefined) return;
  const hasCommand = keys.command(group) !== undefined;
  if (!(await confirmRemoval(group, stored.has(group), hasCommand))) return;
  await saving(() => keys.remove(group), "keyNotStored");
  const setting = hasCommand ? [openSetting(`keyCommand.${group}`)] : [];
  void notifier.inform(await removedText(keys, group, stored.has(group)), ...setting);
}

async function removedText(keys: Keys, group: KeyGroup, wasStored: boolean): Promise<string> {
  const removed = wasStored
    ? l10n.t("The stored API key and the allowed addresses of the {0} group were removed.", group)
    : l10n.t("The allowed addresses of the {0} group were removed.", group);
  const source = await keys.source(group);
  if (source === "command") return sentences(removed, l10n.t("The key command is still set."));
  if (source !== "environment") return removed;
  return sentences(removed, l10n.t("The environment variable {0} still provides a key.", keyVariables[group]));
}

async function confirmRemoval(group: KeyGroup, isStored: boolean, hasCommand: boolean): Promise<boolean> {
  const remove = l10n.t("Remove");
  const ofCommand = isStored
    ? l10n.t("Remove the stored API key and the allowed addresses of the {0} group?", group)
    : l10n.t("Remove the allowed addresses of the {0} group?", group);
  const question = hasCommand ? ofCommand : l10n.t("Remove the stored API key of the {0} group?", group);
  const details = [
    ...(isStored ? [l10n.t("You cannot view or restore it afterwards.")] : []),
    ...(hasCommand ? [l10n.t("You are asked before the next key of the command is sent.")] : []),
  ];
  return (await window.showWarningMessage(question, { modal: true, detail: details.join("\n") }, remove)) === remove;
}

/** Lets the user choose a key group, showing the source of each key. */
async function pickKeyGroup(keys: Keys, groups: readonly KeyGroup[], title: string): Promise<KeyGroup | undefined> {
  const items = groups.map(async (group) => {
    const source = await keys.source(group);
    const isUnused = source === "command" && (await keys.isStored(group).catch(() => false));
    const description = isUnused ? l10n.t("from a command; the stored key is not used") : sources[source](group);
    return { group, label: labels[group](), description };
  });
  const chosen = await window.showQuickPick(Promise.all(items), { title, ignoreFocusOut: true });
  return chosen?.group;
}

const labels: Record<KeyGroup, () => string> = {
  codex: () => l10n.t("codex group: chat and code"),
  image: () => l10n.t("image group: image generation"),
};

const sources: Record<KeySource, (group: KeyGroup) => string> = {
  command: () => l10n.t("from a command"),
  stored: () => l10n.t("stored"),
  environment: (group) => l10n.t("from the environment variable {0}", keyVariables[group]),
  none: () => l10n.t("not set"),
};
