import { l10n } from "vscode";
import { UserError } from "../failures/userError.ts";
import type { KeyGroup } from "../gateway/types.ts";
import { findKeyFlaw, type KeyFlaw, type Keys } from "../settings/keys.ts";

/** The problem with a key as typed, for display; `undefined` if there is none. */
export function keyFlawText(typed: string): string | undefined {
  const flaw = findKeyFlaw(typed);
  return flaw && flawTexts[flaw]();
}

/** Stores a key for these origins. Throws `UserError` of kind `keyNotStored`. */
export async function storeKey(keys: Keys, group: KeyGroup, typed: string, origins: readonly string[]): Promise<void> {
  try {
    await keys.store(group, typed.trim(), origins);
  } catch (cause) {
    throw new UserError("keyNotStored", { cause });
  }
}

/** Limits a stored key to these origins. Throws `UserError` of kind `keyNotStored`. */
export async function bindKey(keys: Keys, group: KeyGroup, origins: readonly string[]): Promise<void> {
  try {
    await keys.bind(group, origins);
  } catch (cause) {
    throw new UserError("keyNotStored", { cause });
  }
}

const flawTexts: Record<KeyFlaw, () => string> = {
  empty: () => l10n.t("Enter the key."),
  prefix: () => l10n.t("The key must start with sk-."),
  secret: () => l10n.t("The secret part after sk- is missing."),
  characters: () => l10n.t("The key cannot contain spaces or special characters. Copy it again."),
};
