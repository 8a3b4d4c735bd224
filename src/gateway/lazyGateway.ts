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

/** A value that is created on first use. */
export interface Lazy<T> {
  /** Creates the value on the first call. Concurrent callers share a failure; the next call tries again. */
  get(): Promise<T>;
  /** The value, if it was requested before; else `undefined`. */
  started(): Promise<T> | undefined;
}

/** Creates a value on first use, typically by loading a part of the extension. */
export function lazy<T>(make: () => Promise<T>): Lazy<T> {
  let made: Promise<T> | undefined;
  return {
    get: () =>
      (made ??= make().catch((error: unknown) => {
        made = undefined;
        throw error;
      })),
    started: () => made,
  };
}
