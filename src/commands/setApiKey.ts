import { l10n, window } from "vscode";
import type { KeyGroup } from "../gateway/types.ts";
import type { Services } from "../services.ts";
import { findKeyFlaw, type KeyFlaw } from "../settings/keyForm.ts";
import { keyGroups } from "../settings/keys.ts";
import { UserError } from "../ui/userError.ts";
import { pickKeyGroup } from "./pickKeyGroup.ts";

/** Asks for the key of a group and stores it. The key is never shown again. */
export async function setApiKey({ keys }: Pick<Services, "keys">, argument?: unknown): Promise<void> {
  const given = keyGroups.find((name) => name === argument);
  const group = given ?? (await pickKeyGroup(keys, keyGroups, l10n.t("Whose key do you want to set?")));
  if (group === undefined) return;
  const key = await askKey(group);
  if (key === undefined) return;
  try {
    await keys.store(group, key);
  } catch (cause) {
    throw new UserError("keyNotStored", { cause });
  }
  void window.showInformationMessage(l10n.t("The API key of the {0} group is stored.", group));
}

async function askKey(group: KeyGroup): Promise<string | undefined> {
  const typed = await window.showInputBox({
    title: l10n.t("API key of the {0} group", group),
    prompt: l10n.t("The key is kept in VS Code's secret storage and sent to your gateway only."),
    placeHolder: "sk-…",
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => {
      const flaw = findKeyFlaw(text);
      return flaw && flawTexts[flaw]();
    },
  });
  return typed?.trim();
}

const flawTexts: Record<KeyFlaw, () => string> = {
  empty: () => l10n.t("Enter the key."),
  prefix: () => l10n.t("A key begins with sk-."),
  secret: () => l10n.t("The secret part after sk- is missing."),
  characters: () => l10n.t("A key has no spaces or special characters inside. Copy it again."),
};
