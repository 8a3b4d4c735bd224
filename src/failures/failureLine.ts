import { GatewayError } from "../gateway/errors.ts";
import { quote } from "../text/safeText.ts";

/** A log line for a failure: where it happened, the error codes of its causes, and its kind. */
export function failureLine(operation: string, error: GatewayError): string {
  const { kind, entry, status, requestId, message, tokenLimit, tokensAsked } = error;
  const facts = [
    `${operation}: ${kind}`,
    entry,
    status === undefined ? undefined : `status ${status}`,
    requestId === undefined ? undefined : `request ${requestId}`,
    tokenLimit === undefined ? undefined : `limit ${tokenLimit} tokens`,
    tokensAsked === undefined ? undefined : `prompt ${tokensAsked} tokens`,
    ...causeCodes(error),
    message,
  ];
  return quote(facts.filter((fact) => fact !== undefined && fact !== "").join(" · "), 400);
}

/** The distinct error codes along the chain of causes: of the system, the network stack and the client. */
function causeCodes(error: Error): readonly string[] {
  const seen = new Set<unknown>([error]);
  const codes = new Set<string>();
  for (const failure of seen) {
    if (!(failure instanceof Error)) continue;
    if (failure !== error) codes.add(codeOf(failure));
    // Connecting tries every address of a name; the `AggregateError` has a failure for each.
    const several: readonly unknown[] = failure instanceof AggregateError ? failure.errors : [];
    for (const cause of [failure.cause, ...several]) seen.add(cause);
  }
  return [...codes];
}

function codeOf(failure: Error): string {
  if (failure instanceof GatewayError) return failure.kind;
  return "code" in failure && typeof failure.code === "string" ? failure.code : failure.name;
}
