import { normalizeBaseUrl } from "./baseUrl.ts";
import { GatewayError, withDetails } from "./errors.ts";
import type { EntryName, GatewaySettings } from "./types.ts";

/** One entry, ready to be called. */
export interface Entry {
  readonly name: EntryName;
  /** Normalized: `${baseUrl}/v1/…` is an address. */
  readonly baseUrl: string;
}

/**
 * The configured entries, the primary first. A backup equal to the primary is none.
 * Throws `GatewayError`: `noEntry` without a primary, `badUrl` for a URL that cannot be used.
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
