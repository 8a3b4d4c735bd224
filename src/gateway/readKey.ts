import { unlessAborted } from "./abort.ts";
import type { Entry } from "./entries.ts";
import { GatewayError } from "./errors.ts";
import type { GatewayOptions, KeyGroup } from "./types.ts";

/**
 * Reads the key of a group for an entry. Throws `GatewayError`: `noKey`; `unauthorized` for a malformed key; or what
 * the owner throws.
 */
export async function readKey(
  options: Pick<GatewayOptions, "key">,
  group: KeyGroup,
  { baseUrl }: Entry,
  signal: AbortSignal,
  isUnasked = false,
): Promise<string> {
  const key = (await unlessAborted(options.key(group, new URL(baseUrl).origin, { isUnasked }), signal))?.trim();
  if (key === undefined || key === "") throw new GatewayError("noKey", "No key is set.", { group });
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new GatewayError("unauthorized", "The key has characters that no key has.", { group });
}
