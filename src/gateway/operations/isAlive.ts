import type { Entry } from "../entries.ts";
import type { Limits } from "../limits.ts";
import type { Network } from "../network/network.ts";

/**
 * Whether an entry responds to anything at all. Uses a new connection without a key; never rejects. After a failure, the
 * next request to the entry does not use a kept connection.
 */
export async function isAlive(
  { network, limits: { connect } }: { readonly network: Network; readonly limits: Limits },
  { baseUrl }: Entry,
  signal: AbortSignal,
): Promise<boolean> {
  const limits = { connect, headers: connect, idle: connect };
  const url = new URL(`${baseUrl}/v1`);
  try {
    const request = { method: "HEAD", url, headers: {} } as const;
    const answer = await network.send(request, { signal, limits, isFresh: true, hasHealthyBackup: true });
    await answer.body.return();
    return true;
  } catch {
    if (!signal.aborted) network.drop(url);
    return false;
  }
}
