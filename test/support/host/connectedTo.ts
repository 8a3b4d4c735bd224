import type { LocalGateway } from "../gateway/gateway.ts";
import type { Settings } from "./profile.ts";

/** Settings, merged with `more`, and an environment that connect the extension to a local gateway with both keys. */
export function connectedTo(
  { primary, backup, keys }: LocalGateway,
  more: Settings = {},
): { settings: Settings; env: Record<string, string> } {
  return {
    settings: { "codexGateway.baseUrl": primary.url, "codexGateway.backupBaseUrl": backup.url, ...more },
    env: {
      CODEX_GATEWAY_API_KEY: keys.codex,
      CODEX_GATEWAY_IMAGE_API_KEY: keys.image,
      CODEX_GATEWAY_ORIGINS: `${primary.url} ${backup.url}`,
    },
  };
}
