import { ConfigurationTarget, type Memento, workspace } from "vscode";
import { UserError } from "../../failures/userError.ts";
import { vendor } from "../../manifest.ts";
import { asObject } from "../../text/json.ts";

/**
 * Settings in VS Code's section `chat` that choose the model for titles, renames, and similar tasks (signed out, seen in VS
 * Code 1.139.1).
 */
const names = ["utilityModel", "utilitySmallModel"] as const;

/** One of these settings, with its current and its planned value. */
export interface UtilityChange {
  readonly setting: string;
  readonly now: string;
  readonly next: string;
}

/** Storage key of the previous values. */
const memoryKey = "utilityModels.before";

/** The settings to change so that `model` handles the larger tasks and `small` the smaller ones. */
export function plannedChanges(model: string, small: string): readonly UtilityChange[] {
  const next = [`${vendor}/${model}`, `${vendor}/${small}`];
  return names.map((name, index) => ({ setting: `chat.${name}`, now: valueOf(name), next: next[index] ?? "" }));
}

/** Applies the changes, and stores the values of other providers that they replace. */
export async function applyChanges(changes: readonly UtilityChange[], memory: Memento): Promise<void> {
  const before = changes.filter(({ now }) => !isOurs(now)).map(({ setting, now }) => [setting, now] as const);
  await memory.update(memoryKey, Object.fromEntries([...rememberedIn(memory), ...before]));
  for (const { setting, next } of changes) await write(setting, next);
}

/** Restores the previous values of the settings that name a model of the gateway. Returns whether there were any. */
export async function revertChanges(memory: Memento): Promise<boolean> {
  const ours = names.filter((name) => isOurs(valueOf(name))).map((name) => `chat.${name}`);
  const before = rememberedIn(memory);
  for (const setting of ours) await write(setting, before.get(setting) ?? "");
  await memory.update(memoryKey, undefined);
  return ours.length > 0;
}

function valueOf(name: (typeof names)[number]): string {
  const value: unknown = workspace.getConfiguration("chat").inspect(name)?.globalValue;
  return typeof value === "string" ? value : "";
}

async function write(setting: string, value: string): Promise<void> {
  try {
    await workspace.getConfiguration().update(setting, value === "" ? undefined : value, ConfigurationTarget.Global);
  } catch (cause) {
    // The settings exist only where VS Code's chat is available.
    throw new UserError("chatUnavailable", { cause });
  }
}

/** Stored values may come from another version or be damaged. */
function rememberedIn(memory: Memento): ReadonlyMap<string, string> {
  const stored = Object.entries(asObject(memory.get<unknown>(memoryKey)) ?? {});
  return new Map(stored.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

function isOurs(value: string): boolean {
  return value.startsWith(`${vendor}/`);
}
