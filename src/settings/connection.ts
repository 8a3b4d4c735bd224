import type { WorkspaceConfiguration } from "vscode";
import { isLoopback, normalizeBaseUrl } from "../gateway/baseUrl.ts";
import type { GatewaySettings } from "../gateway/types.ts";
import { settingDefaults } from "../manifest.ts";

/** The settings with the gateway's address. */
export type Connection = Pick<GatewaySettings, "baseUrl" | "backupBaseUrl" | "allowInsecureHttp">;

/** Whether a normalized base URL would send the key unencrypted beyond this machine. */
export function isInsecure(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && !isLoopback(hostname);
}

/** The origins (scheme, host and port) of the configured entries. Skips unusable base URLs. */
export function originsOf({ baseUrl, backupBaseUrl, allowInsecureHttp }: Connection): readonly string[] {
  const origins = [baseUrl, backupBaseUrl].flatMap((url) => {
    try {
      return [new URL(normalizeBaseUrl(url, allowInsecureHttp)).origin];
    } catch {
      return [];
    }
  });
  return [...new Set(origins)];
}

/** Writes changed values to the user settings, in a remote window to the remote settings. Removes default values. */
export async function saveConnection(
  configuration: Pick<WorkspaceConfiguration, "get" | "update">,
  connection: Connection,
): Promise<void> {
  const names = ["baseUrl", "backupBaseUrl", "allowInsecureHttp"] as const;
  for (const name of names) {
    const value = connection[name];
    if (configuration.get(name) === value) continue;
    const target = true; // ConfigurationTarget.Global
    await configuration.update(name, value === settingDefaults[name] ? undefined : value, target);
  }
}
