import { ConfigurationTarget, extensions, type Memento, workspace, type WorkspaceConfiguration } from "vscode";
import { asObject } from "../base/json.ts";
import { vendor } from "../manifest.ts";

/** VS Code's chat extension, for Ask, Agent, and inline chat. Disabled in a profile until chat is set up (VS Code 1.139.1). */
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

/** A setting that prevents VS Code's chat from using the gateway's models. */
export interface Obstacle {
  readonly setting: string;
  readonly setBy: "workspace" | "policy";
}

/**
 * The settings that a question needs to reach the models of extensions, in the order in which VS Code 1.139.1 reads them.
 * The last three decide whose conversation the Chat view starts. Experiments can change them, but not a user's value.
 */
const required: readonly (readonly [setting: string, value: boolean])[] = [
  [aiFeaturesOff, false],
  ["chat.editor.preferCopilotHarness", false],
  ["chat.defaultToCopilotHarness", false],
  ["chat.editor.localAgent.enabled", true],
];

/** The models to use in VS Code's chat. `isUnique`: no other provider has a model with the id of the first. */
export interface ChatModels {
  readonly model: { readonly id: string; readonly name: string };
  readonly smallModel: string;
  readonly isUnique: boolean;
}

/** Whether VS Code's chat uses the gateway's models. `blocked`: a policy or the workspace prevents it. */
export function chatUse(): "inUse" | "notInUse" | "blocked" {
  if (overridingSetting() !== undefined) return "blocked";
  return chatIsOn() && required.every(isSatisfied) && namesOurModels() ? "inUse" : "notInUse";
}

/**
 * The setting that overrides a required user setting, if any. `isApplied`: the required settings were just written, so a
 * different value comes from neither the user nor an experiment.
 */
export function overridingSetting({ isApplied = false } = {}): Obstacle | undefined {
  for (const [setting, value] of required.filter((one) => !isSatisfied(one))) {
    const { workspaceValue, workspaceFolderValue, globalValue } = inspect(setting) ?? {};
    if (workspaceValue === !value || workspaceFolderValue === !value) return { setting, setBy: "workspace" };
    // Experiments do not turn AI features off.
    const isChangeable = globalValue === !value || (globalValue === undefined && setting !== aiFeaturesOff);
    if (isApplied || !isChangeable) return { setting, setBy: "policy" };
  }
  return undefined;
}

/** The user settings to change, without those that have the planned value or that this version of VS Code lacks. */
export function plannedChanges({ model, smallModel, isUnique }: ChatModels): readonly SettingChange[] {
  return changesTo([
    ...required.filter(([setting]) => setting !== aiFeaturesOff || !chatIsOn()),
    ["chat.utilityModel", `${vendor}/${model.id}`],
    ["chat.utilitySmallModel", `${vendor}/${smallModel}`],
    // Takes only an id, and uses the first model with that id (VS Code 1.139.1).
    ...(isUnique ? [["chat.defaultModel", model.id] as const] : []),
    ["inlineChat.defaultModel", `${model.name} (${vendor})`],
  ]);
}

/** The changes that version 1.1.0 did not make, if it has put the models to use and the user has set nothing since. */
export function laterChanges(memory: Memento): readonly SettingChange[] {
  const isUsed = rememberedIn(memory).length > 0 || namesOurModels();
  if (!isUsed || !chatIsOn() || workspace.getConfiguration().get(aiFeaturesOff) === true) return [];
  return changesTo(required.filter(([setting]) => setting !== aiFeaturesOff)).filter(({ now }) => now === undefined);
}

/** Changes the settings, and stores their previous values. */
export async function applyChanges(changes: readonly SettingChange[], memory: Memento): Promise<void> {
  const remembered = new Map(rememberedIn(memory));
  for (const { setting, now, next } of changes) {
    const known = remembered.get(setting);
    remembered.set(setting, { before: known && isOwn(now, known) ? known.before : now, after: next });
  }
  await memory.update(memoryKey, Object.fromEntries(remembered));
  for (const { setting, next } of changes) {
    await write(setting, next).catch((cause: unknown) => {
      if (!isByPolicy(setting)) throw cause;
    });
  }
}

/** Reverts what `applyChanges` has changed, unless the user has changed it since. Returns what was reverted. */
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
 * Turns VS Code's chat extension on, and waits until it is active. VS Code enables it without a reload when the setting
 * changes to `false` (`workbench.contrib.chatTeardown` in VS Code 1.139.1). Returns whether it is enabled within ten
 * seconds; otherwise restores the setting.
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

interface Remembered {
  readonly before?: Value;
  readonly after?: Value;
}

const memoryKey = "utilityModels.before";

/** Stored values may be damaged, or from a version that stored only the previous value. */
function rememberedIn(memory: Memento): readonly (readonly [string, Remembered])[] {
  return Object.entries(asObject(memory.get<unknown>(memoryKey)) ?? {}).map(([setting, stored]) => {
    const { before, after } = asObject(stored) ?? { before: stored === "" ? undefined : stored };
    return [setting, { before: valueOf(before), after: valueOf(after) }];
  });
}

/** Whether a value is still what the extension has written. Any model of the gateway counts. */
function isOwn(value: Value, { after }: Remembered): boolean {
  return value !== undefined && (value === after || isOurs(value));
}

function changesTo(wanted: readonly (readonly [setting: string, next: Value])[]): readonly SettingChange[] {
  return wanted
    .filter(([setting]) => isKnown(setting))
    .map(([setting, next]) => ({ setting, now: userValue(setting), next }))
    .filter(({ now, next }) => now !== next);
}

function isSatisfied([setting, value]: (typeof required)[number]): boolean {
  return !isKnown(setting) || workspace.getConfiguration().get(setting) === value;
}

/** Whether a policy sets a setting: VS Code refuses to write it, and reports its value as the default (1.139.1). */
function isByPolicy(setting: string): boolean {
  const isRequired = required.some(([name]) => name === setting);
  return isRequired && workspace.getConfiguration().get(setting) === inspect(setting)?.defaultValue;
}

function isKnown(setting: string): boolean {
  return inspect(setting)?.defaultValue !== undefined;
}

function namesOurModels(): boolean {
  return utilitySettings.some((name) => isOurs(userValue(name)));
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
