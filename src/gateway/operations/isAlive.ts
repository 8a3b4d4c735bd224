import type { Entry } from "../entries.ts";
import type { Network } from "../network/network.ts";

/**
 * Whether an entry responds to anything at all within `limit` milliseconds. Uses a connection of its own without a key;
 * never rejects.
 */
export async function isAlive(
  network: Network,
  { baseUrl }: Entry,
  limit: number,
  signal: AbortSignal,
): Promise<boolean> {
  const end = new AbortController();
  const timer = setTimeout(() => {
    end.abort(new Error("The entry did not respond in time."));
  }, limit);
  try {
    const request = { method: "HEAD", url: new URL(`${baseUrl}/v1`), headers: {} } as const;
    const answer = await network.send(request, {
      signal: AbortSignal.any([signal, end.signal]),
      limits: { connect: limit, headers: limit, idle: limit },
      isFresh: true,
      hasHealthyBackup: true,
    });
    await answer.body.return();
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
