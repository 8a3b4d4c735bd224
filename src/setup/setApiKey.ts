import { l10n, window } from "vscode";
import type { KeyGroup } from "../gateway/types.ts";
import type { Services } from "../services.ts";
import { originsOf } from "../settings/connection.ts";
import { keyGroups } from "../settings/keys.ts";
import { keyFlawText, storeKey } from "./keyInput.ts";
import { pickKeyGroup } from "./pickKeyGroup.ts";

/** Asks for the key of a group and stores it. Returns `true` when done. A stored key is never shown. */
export async function setApiKey(
  { keys, settings }: Pick<Services, "keys" | "settings">,
  argument?: unknown,
): Promise<boolean> {
  const given = keyGroups.find((name) => name === argument);
  const group = given ?? (await pickKeyGroup(keys, keyGroups, l10n.t("Which key do you want to set?")));
  if (group === undefined) return false;
  const origins = originsOf(settings());
  const key = await askKey(group, origins);
  if (key === undefined) return false;
  await storeKey(keys, group, key, origins);
  void window.showInformationMessage(l10n.t("The API key of the {0} group was saved.", group));
  return true;
}

async function askKey(group: KeyGroup, origins: readonly string[]): Promise<string | undefined> {
  return await window.showInputBox({
    title: l10n.t("API key of the {0} group", group),
    prompt:
      origins.length === 0
        ? l10n.t("The key is stored in VS Code's secret storage and sent only to your gateway.")
        : l10n.t("The key is stored in VS Code's secret storage and sent only to {0}.", origins.join(", ")),
    placeHolder: "sk-…",
    password: true,
    ignoreFocusOut: true,
    validateInput: keyFlawText,
  });
}
