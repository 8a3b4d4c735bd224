import type { LocalGateway } from "../gateway/gateway.ts";

/** Settings and environment with which the extension uses a local gateway, with both keys. */
export function connectedTo({ primary, backup, keys }: LocalGateway): {
  settings: Record<string, string>;
  env: Record<string, string>;
} {
  return {
    settings: { "codexGateway.baseUrl": primary.url, "codexGateway.backupBaseUrl": backup.url },
    env: { CODEX_GATEWAY_API_KEY: keys.codex, CODEX_GATEWAY_IMAGE_API_KEY: keys.image },
  };
}
