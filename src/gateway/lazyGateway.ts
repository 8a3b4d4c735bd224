import { lazy } from "./lazy.ts";
import type { AnswerPart, Gateway } from "./types.ts";

/** A gateway whose client, with its network stack, loads at the first operation. */
export function lazyGateway(load: () => Promise<Gateway>): Gateway {
  const client = lazy(load);
  return {
    async *ask(...args): AsyncGenerator<AnswerPart, undefined> {
      yield* (await client.get()).ask(...args);
    },
    generateImage: async (...args) => (await client.get()).generateImage(...args),
    downloadImage: async (...args) => (await client.get()).downloadImage(...args),
    probe: async (...args) => (await client.get()).probe(...args),
    preconnect: (...args) => {
      client.get().then(
        (loaded) => {
          loaded.preconnect(...args);
        },
        () => undefined,
      );
    },
    dispose: async () => (await client.started()?.catch(() => undefined))?.dispose(),
  };
}
