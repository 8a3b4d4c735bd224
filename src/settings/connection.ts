import type { WorkspaceConfiguration } from "vscode";
import { isLoopback, normalizeBaseUrl } from "../gateway/baseUrl.ts";
import type { GatewaySettings } from "../gateway/types.ts";
import { settingDefaults } from "../manifest.ts";

/** The settings that say where the gateway is. */
export type Connection = Pick<GatewaySettings, "baseUrl" | "backupBaseUrl" | "allowInsecureHttp">;

/** Whether a normalized base URL would carry the key unencrypted beyond this machine. */
export function isInsecure(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === "http:" && !isLoopback(hostname);
}

/** The origins (scheme, host and port) of the entries as they are set. A base URL that cannot be used has none. */
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

/** A base URL in its usual form, plain http included. Throws `GatewayError` of kind `badUrl`. */
export function usualForm(baseUrl: string): string {
  return normalizeBaseUrl(baseUrl, true);
}

/**
 * Writes what differs from the settings as they are: into the user's settings, in a remote window into those of the
 * remote machine. A value that is the default is removed.
 */
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
