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
