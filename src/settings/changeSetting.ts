import type { WorkspaceConfiguration } from "vscode";
import type { SettingName } from "../manifest.ts";
import { asObject } from "../base/json.ts";

/**
 * Changes a setting, or the property at `path` of a setting that is an object: in the workspace if it has a value there,
 * which overrides the user's; otherwise for the user. Other properties stay.
 */
export async function changeSetting(
  configuration: Pick<WorkspaceConfiguration, "inspect" | "update">,
  name: SettingName,
  value: unknown,
  path: readonly string[] = [],
): Promise<void> {
  const { globalValue, workspaceValue } = configuration.inspect(name) ?? {};
  const isOfWorkspace = path.reduce((inner, key) => asObject(inner)?.[key], workspaceValue) !== undefined;
  const changed = (old: unknown, [key, ...rest]: readonly string[]): unknown =>
    key === undefined ? value : { ...asObject(old), [key]: changed(asObject(old)?.[key], rest) };
  const isGlobal = !isOfWorkspace; // as in ConfigurationTarget
  await configuration.update(name, changed(isGlobal ? globalValue : workspaceValue, path), isGlobal);
}
