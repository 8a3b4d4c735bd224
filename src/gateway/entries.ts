import { normalizeBaseUrl } from "./baseUrl.ts";
import { GatewayError, withDetails } from "./errors.ts";
import type { EntryName, GatewaySettings } from "./types.ts";

/** One entry of the gateway. */
export interface Entry {
  readonly name: EntryName;
  /** Normalized, so that `${baseUrl}/v1/…` is a valid URL. */
  readonly baseUrl: string;
}

/**
 * The configured entries, primary first. A backup with the primary's URL is left out. Throws `GatewayError`: `noEntry`
 * without a primary, `badUrl` for an unusable URL.
 */
export function configuredEntries(settings: GatewaySettings): readonly [Entry, ...Entry[]] {
  if (settings.baseUrl.trim() === "") throw new GatewayError("noEntry", "No base URL is set.");
  const primary = entry("primary", settings.baseUrl, settings);
  if (settings.backupBaseUrl.trim() === "") return [primary];
  const backup = entry("backup", settings.backupBaseUrl, settings);
  return backup.baseUrl === primary.baseUrl ? [primary] : [primary, backup];
}

function entry(name: EntryName, url: string, { allowInsecureHttp }: GatewaySettings): Entry {
  try {
    return { name, baseUrl: normalizeBaseUrl(url, allowInsecureHttp) };
  } catch (error) {
    throw error instanceof GatewayError ? withDetails(error, { entry: name }) : error;
  }
}
