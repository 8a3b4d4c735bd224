import { l10n, window } from "vscode";
import type { KeyGroup } from "../gateway/types.ts";
import type { Services } from "../services.ts";
import { keyGroups, type Keys, keyVariables } from "../settings/keys.ts";
import { pickKeyGroup } from "./pickKeyGroup.ts";

/** Removes a stored key after a confirmation, and tells the user if an environment variable still provides one. */
export async function removeApiKey({ keys }: Pick<Services, "keys">): Promise<void> {
  const stored = await storedGroups(keys);
  if (stored.length === 0) {
    void window.showInformationMessage(l10n.t("No API key is stored."));
    return;
  }
  const group = await pickKeyGroup(keys, stored, l10n.t("Which key do you want to remove?"));
  if (group === undefined || !(await confirm(group))) return;
  await keys.remove(group);
  void window.showInformationMessage(
    (await keys.source(group)) === "environment"
      ? l10n.t(
          "The stored API key of the {0} group was removed. The environment variable {1} still provides one.",
          group,
          keyVariables[group],
        )
      : l10n.t("The API key of the {0} group was removed.", group),
  );
}

async function storedGroups(keys: Keys): Promise<readonly KeyGroup[]> {
  const sources = await Promise.all(keyGroups.map((group) => keys.source(group)));
  return keyGroups.filter((_, index) => sources[index] === "stored");
}

async function confirm(group: KeyGroup): Promise<boolean> {
  const remove = l10n.t("Remove");
  const question = l10n.t("Remove the stored API key of the {0} group?", group);
  const detail = l10n.t("You cannot view or restore it afterwards.");
  return (await window.showWarningMessage(question, { modal: true, detail }, remove)) === remove;
}
