import { l10n, window } from "vscode";
import type { KeyGroup } from "../gateway/types.ts";
import type { Services } from "../services.ts";
import { keyGroups } from "../settings/keys.ts";
import { keyFlawText, storeKey } from "./keyInput.ts";
import { pickKeyGroup } from "./pickKeyGroup.ts";

/** Asks for the key of a group and stores it; gives `true` when that is done. The key is never shown again. */
export async function setApiKey({ keys }: Pick<Services, "keys">, argument?: unknown): Promise<boolean> {
  const given = keyGroups.find((name) => name === argument);
  const group = given ?? (await pickKeyGroup(keys, keyGroups, l10n.t("Whose key do you want to set?")));
  if (group === undefined) return false;
  const key = await askKey(group);
  if (key === undefined) return false;
  await storeKey(keys, group, key);
  void window.showInformationMessage(l10n.t("The API key of the {0} group is stored.", group));
  return true;
}

async function askKey(group: KeyGroup): Promise<string | undefined> {
  return await window.showInputBox({
    title: l10n.t("API key of the {0} group", group),
    prompt: l10n.t("The key is kept in VS Code's secret storage and sent to your gateway only."),
    placeHolder: "sk-…",
    password: true,
    ignoreFocusOut: true,
    validateInput: keyFlawText,
  });
}
