import type { Gateway } from "./types.ts";

/** A gateway whose client (and its network stack) loads at the first operation. */
export function lazyGateway(load: () => Promise<Gateway>): Gateway {
  let loaded: Gateway | undefined;
  let loading: Promise<Gateway> | undefined;
  const gateway = (): Promise<Gateway> =>
    (loading ??= load().then((ready) => {
      loaded = ready;
      return ready;
    }));
  return {
    async *chat(...args) {
      yield* (await gateway()).chat(...args);
    },
    async *respond(...args) {
      yield* (await gateway()).respond(...args);
    },
    generateImage: async (...args) => (await gateway()).generateImage(...args),
    downloadImage: async (...args) => (await gateway()).downloadImage(...args),
    health: () => loaded?.health() ?? [],
    dispose: async () => (await loading)?.dispose(),
  };
}
