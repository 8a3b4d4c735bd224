import type { Gateway } from "./types.ts";

/** A gateway whose client (and its network stack) loads at the first operation. */
export function lazyGateway(load: () => Promise<Gateway>): Gateway {
  let loading: Promise<Gateway> | undefined;
  const gateway = (): Promise<Gateway> =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  return {
    ask: (...args) => deferred(async () => (await gateway()).ask(...args)),
    generateImage: async (...args) => (await gateway()).generateImage(...args),
    downloadImage: async (...args) => (await gateway()).downloadImage(...args),
    probe: async (...args) => (await gateway()).probe(...args),
    dispose: async () => (await loading)?.dispose(),
  };
}

/** What `open` will give; it is asked when the first item is. */
async function* deferred<T>(open: () => Promise<AsyncIterable<T>>): AsyncGenerator<T, undefined> {
  yield* await open();
}
