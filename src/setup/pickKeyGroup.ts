import { l10n, window } from "vscode";
import type { KeyGroup } from "../gateway/types.ts";
import { type Keys, type KeySource, keyVariables } from "../settings/keys.ts";

/** Lets the user choose a key group, showing the source of each key. */
export async function pickKeyGroup(
  keys: Keys,
  groups: readonly KeyGroup[],
  title: string,
): Promise<KeyGroup | undefined> {
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
  stored: () => l10n.t("stored"),
  environment: (group) => l10n.t("from the environment variable {0}", keyVariables[group]),
  none: () => l10n.t("not set"),
};
