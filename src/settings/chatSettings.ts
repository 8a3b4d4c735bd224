import { ConfigurationTarget, extensions, type Memento, workspace, type WorkspaceConfiguration } from "vscode";
import { asObject } from "../text/json.ts";
import { settingDefaults, vendor } from "../manifest.ts";

/** VS Code's chat extension, for Ask, Agent, and inline chat. Off in a profile until chat is set up (seen in VS Code 1.139.1). */
const chatExtension = "GitHub.copilot-chat";

/** The setting that turns VS Code's AI features off. */
export const aiFeaturesOff = "chat.disableAIFeatures";

/** Settings that name the model of titles, renames, and similar tasks as `vendor/id` (seen in VS Code 1.139.1). */
const utilitySettings = ["chat.utilityModel", "chat.utilitySmallModel"] as const;

type Value = string | boolean | undefined;

/** A user setting with its current and its planned value; `undefined` where it is not set. */
export interface SettingChange {
  readonly setting: string;
  readonly now: Value;
  readonly next: Value;
}

/** The models to use in VS Code's chat. `isUnique`: no other provider has a model with the same id. */
export interface ChatModels {
  readonly model: { readonly id: string; readonly name: string };
  readonly isUnique: boolean;
}

/** Whether VS Code's chat uses the gateway's models. `barred`: a policy or the workspace, not the user, has AI features off. */
export function chatUse(): "inUse" | "notInUse" | "barred" {
  const { globalValue, workspaceValue } = inspect(aiFeaturesOff) ?? {};
  const isOff = workspace.getConfiguration().get(aiFeaturesOff) === true;
  if (isOff && (globalValue !== true || workspaceValue === true)) return "barred";
  return chatIsOn() && utilitySettings.some((name) => isOurs(userValue(name))) ? "inUse" : "notInUse";
}

/** The user settings to change, without those that are as planned, and those that this version of VS Code lacks. */
export function plannedChanges({ model, isUnique }: ChatModels): readonly SettingChange[] {
  const wanted: readonly (readonly [string, Value])[] = [
    ...(chatIsOn() ? [] : [[aiFeaturesOff, false] as const]),
    ["chat.utilityModel", `${vendor}/${model.id}`],
    ["chat.utilitySmallModel", `${vendor}/${settingDefaults["commitMessage.model"]}`],
    // Takes an id alone, and the first model that has it (VS Code 1.139.1).
    ...(isUnique ? [["chat.defaultModel", model.id] as const] : []),
    ["inlineChat.defaultModel", `${model.name} (${vendor})`],
  ];
  return wanted
    .filter(([setting]) => inspect(setting)?.defaultValue !== undefined)
    .map(([setting, next]) => ({ setting, now: userValue(setting), next }))
    .filter(({ now, next }) => now !== next);
}

/** Changes the settings, and stores the values that they had before. */
export async function applyChanges(changes: readonly SettingChange[], memory: Memento): Promise<void> {
  const remembered = new Map(rememberedIn(memory));
  for (const { setting, now, next } of changes) {
    const known = remembered.get(setting);
    remembered.set(setting, { before: known && isOwn(now, known) ? known.before : now, after: next });
  }
  await memory.update(memoryKey, Object.fromEntries(remembered));
  for (const { setting, next } of changes) await write(setting, next);
}

/** Takes back what `applyChanges` has changed, unless the user has changed it since. Returns what was taken back. */
export async function revertChanges(memory: Memento): Promise<readonly SettingChange[]> {
  const remembered = new Map<string, Remembered>(utilitySettings.map((name) => [name, {}]));
  for (const [setting, known] of rememberedIn(memory)) remembered.set(setting, known);
  const changes = [...remembered]
    .map(([setting, known]) => ({ setting, now: userValue(setting), next: known.before, known }))
    .filter(({ now, known }) => isOwn(now, known));
  for (const { setting, next } of changes) await write(setting, next);
  await memory.update(memoryKey, undefined);
  return changes;
}

/**
 * Turns VS Code's chat extension on, and waits until it is active. VS Code enables it, without a reload, whenever the
 * setting changes and is `false` afterwards (`workbench.contrib.chatTeardown` in VS Code 1.139.1). Returns whether it came
 * on within ten seconds; if not, the setting is as before.
 */
export async function turnOnChat(): Promise<boolean> {
  const before = userValue(aiFeaturesOff);
  if (before === false) await write(aiFeaturesOff, undefined);
  await write(aiFeaturesOff, false);
  for (let waited = 0; waited < 10_000 && !extensions.getExtension(chatExtension)?.isActive; waited += 100)
    await new Promise((resolve) => setTimeout(resolve, 100));
  if (chatIsOn()) return true;
  await write(aiFeaturesOff, before);
  return false;
}

/** Whether VS Code's chat extension is enabled. */
export function chatIsOn(): boolean {
  return extensions.getExtension(chatExtension) !== undefined;
}

/** The values before and after a change, as stored. */
interface Remembered {
  readonly before?: Value;
  readonly after?: Value;
}

const memoryKey = "utilityModels.before";

/** Stored values may come from another version, which stored the value before alone, or be damaged. */
function rememberedIn(memory: Memento): readonly (readonly [string, Remembered])[] {
  return Object.entries(asObject(memory.get<unknown>(memoryKey)) ?? {}).map(([setting, stored]) => {
    const { before, after } = asObject(stored) ?? { before: stored === "" ? undefined : stored };
    return [setting, { before: valueOf(before), after: valueOf(after) }];
  });
}

/** Whether a value is still what the extension has written. Any model of the gateway counts, also one of an old setting. */
function isOwn(value: Value, { after }: Remembered): boolean {
  return value !== undefined && (value === after || isOurs(value));
}

function isOurs(value: Value): boolean {
  return typeof value === "string" && (value.startsWith(`${vendor}/`) || value.endsWith(`(${vendor})`));
}

function userValue(setting: string): Value {
  return valueOf(inspect(setting)?.globalValue);
}

function valueOf(value: unknown): Value {
  return typeof value === "string" || typeof value === "boolean" ? value : undefined;
}

function inspect(setting: string): ReturnType<WorkspaceConfiguration["inspect"]> {
  return workspace.getConfiguration().inspect(setting);
}

async function write(setting: string, value: Value): Promise<void> {
  await workspace.getConfiguration().update(setting, value, ConfigurationTarget.Global);
}
