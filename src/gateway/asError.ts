/** The reason of an aborted signal, which may be anything, as the error that is thrown. */
export function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error("The request was cancelled.", { cause: reason });
}
