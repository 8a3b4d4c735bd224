import { l10n, window } from "vscode";
import { openSetting } from "../failures/actions.ts";
import { saving } from "../failures/saving.ts";
import type { KeyGroup } from "../gateway/types.ts";
import type { Services } from "../services.ts";
import { originsOf } from "../settings/connection.ts";
import { keyFlaw, keyGroups, type Keys, type KeySource, keyVariables } from "../settings/keys.ts";
import { showMessage } from "../ui/showMessage.ts";

/** Asks for the key of a group and stores it. Returns `true` when done. A stored key is never shown. */
export async function setApiKey(
  { keys, settings }: Pick<Services, "keys" | "settings">,
  argument?: unknown,
): Promise<boolean> {
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
  return true;
}

/** Asks for the key of a group; `undefined` if the user cancels. */
export async function askKey(group: KeyGroup, origins: readonly string[]): Promise<string | undefined> {
  return await window.showInputBox({
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
}

/** Removes what is stored for a group after a confirmation, and tells the user if something else still provides a key. */
export async function removeApiKey({ keys }: Pick<Services, "keys">): Promise<void> {
  const found = await Promise.all(keyGroups.map((group) => keys.source(group)));
  const stored = keyGroups.filter((_, index) => found[index] === "stored" || found[index] === "command");
  if (stored.length === 0) {
    void showMessage("Information", l10n.t("No API key is stored."));
    return;
  }
  const group = await pickKeyGroup(keys, stored, l10n.t("Which key do you want to remove?"));
  if (group === undefined || !(await confirm(group, keys.command(group) !== undefined))) return;
  await keys.remove(group);
  void showMessage("Information", removed[await keys.source(group)](group));
}

/** What is said of a key that was removed, by the source that provides one now. */
const removed: Record<KeySource, (group: KeyGroup) => string> = {
  command: (group) =>
    l10n.t("The stored API key and the allowed addresses of the {0} group were removed. The command stays set.", group),
  stored: (group) => l10n.t("The API key of the {0} group was removed.", group),
  environment: (group) =>
    l10n.t(
      "The stored API key of the {0} group was removed. The environment variable {1} still provides one.",
      group,
      keyVariables[group],
    ),
  none: (group) => l10n.t("The API key of the {0} group was removed.", group),
};

async function confirm(group: KeyGroup, hasCommand: boolean): Promise<boolean> {
  const remove = l10n.t("Remove");
  const question = hasCommand
    ? l10n.t("Remove the stored API key and the allowed addresses of the {0} group?", group)
    : l10n.t("Remove the stored API key of the {0} group?", group);
  const detail = hasCommand
    ? l10n.t("You are asked before the next key of the command is sent.")
    : l10n.t("You cannot view or restore it afterwards.");
  return (await window.showWarningMessage(question, { modal: true, detail }, remove)) === remove;
}

/** Lets the user choose a key group, showing the source of each key. */
async function pickKeyGroup(keys: Keys, groups: readonly KeyGroup[], title: string): Promise<KeyGroup | undefined> {
  const items = groups.map(async (group) => ({
    group,
    label: labels[group](),
    description: sources[await keys.source(group)](group),
  }));
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
