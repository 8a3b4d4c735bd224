/** The reason of an aborted signal, which may be anything, as the error that is thrown. */
export function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("The request was cancelled.", { cause: reason });
}

/** What a promise gives, or the reason of the signal as soon as that is aborted. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => {
    aborted.reject(signal.reason);
  };
  signal.addEventListener("abort", abort, { once: true });
  try {
    const result = await Promise.race([promise, aborted.promise]);
    signal.throwIfAborted();
    return result;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
