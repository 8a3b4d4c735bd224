import { GatewayError } from "../gateway/errors.ts";
import { quote } from "../text/safeText.ts";

/** One line of the log about a failure: where it happened, the codes of its causes, and what it is. */
export function failureLine(operation: string, error: GatewayError): string {
  const { kind, entry, status, requestId, message } = error;
  const facts = [
    `${operation}: ${kind}`,
    entry,
    status === undefined ? undefined : `status ${status}`,
    requestId === undefined ? undefined : `request ${requestId}`,
    ...causeCodes(error),
    message,
  ];
  return quote(facts.filter((fact) => fact !== undefined && fact !== "").join(" · "), 400);
}

/** The codes along the chain of causes, each once: of errors of the system and of the network stack, and the client's kinds. */
function causeCodes(error: Error): readonly string[] {
  const seen = new Set<unknown>([error]);
  const codes = new Set<string>();
  for (const failure of seen) {
    if (!(failure instanceof Error)) continue;
    if (failure !== error) codes.add(codeOf(failure));
    // A connection tries every address of a name, and fails with all their failures.
    const several: readonly unknown[] = failure instanceof AggregateError ? failure.errors : [];
    for (const cause of [failure.cause, ...several]) seen.add(cause);
  }
  return [...codes];
}

function codeOf(failure: Error): string {
  if (failure instanceof GatewayError) return failure.kind;
  return "code" in failure && typeof failure.code === "string" ? failure.code : failure.name;
}
