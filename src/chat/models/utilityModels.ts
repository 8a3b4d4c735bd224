import { ConfigurationTarget, type Memento, workspace } from "vscode";
import { UserError } from "../../failures/userError.ts";
import { asObject } from "../../gateway/wire/json.ts";
import { vendor } from "../../manifest.ts";

/** VS Code's settings for the models behind titles, commit messages, renames and the like, in the section `chat`. */
const names = ["utilityModel", "utilitySmallModel"] as const;

/** One of these settings, the value it has and the one it is to get. */
export interface UtilityChange {
  readonly setting: string;
  readonly now: string;
  readonly next: string;
}

/** Where the values are kept that the settings had before. */
const memoryKey = "utilityModels.before";

/** What would change if `model` did the larger tasks and `small` the smaller ones. */
export function plannedChanges(model: string, small: string): readonly UtilityChange[] {
  const next = [`${vendor}/${model}`, `${vendor}/${small}`];
  return names.map((name, index) => ({ setting: `chat.${name}`, now: valueOf(name), next: next[index] ?? "" }));
}

/** Applies the changes, and remembers what other providers' values they replace. */
export async function applyChanges(changes: readonly UtilityChange[], memory: Memento): Promise<void> {
  const before = changes.filter(({ now }) => !isOurs(now)).map(({ setting, now }) => [setting, now] as const);
  await memory.update(memoryKey, Object.fromEntries([...rememberedIn(memory), ...before]));
  for (const { setting, next } of changes) await write(setting, next);
}

/** Gives the settings that name a model of the gateway their earlier values. Returns whether there were any. */
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
    // These settings come with VS Code's chat.
    throw new UserError("chatUnavailable", { cause });
  }
}

/** What another version, or a damaged state, has left there may be anything. */
function rememberedIn(memory: Memento): ReadonlyMap<string, string> {
  const stored = Object.entries(asObject(memory.get<unknown>(memoryKey)) ?? {});
  return new Map(stored.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

function isOurs(value: string): boolean {
  return value.startsWith(`${vendor}/`);
}
