/** Something that is made when it is first needed. */
export interface Lazy<T> {
  /** Makes it at the first call. Those who wait share a failure; the next call tries again. */
  get(): Promise<T>;
  /** What was made or is being made; `undefined` where nobody has needed it. */
  started(): Promise<T> | undefined;
}

/** Makes something when it is first needed, as a part of the extension that is loaded only then. */
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
