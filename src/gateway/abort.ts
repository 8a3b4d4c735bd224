/** Converts the reason of an aborted signal, which can be any value, to an error to throw. */
export function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("The request was cancelled.", { cause: reason });
}

/** Awaits a promise, but throws the signal's reason as soon as it aborts, or if it has. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => {
    aborted.reject(signal.reason);
  };
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    const result = await Promise.race([aborted.promise, promise]);
    signal.throwIfAborted();
    return result;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
