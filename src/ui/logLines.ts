import { GatewayError } from "../gateway/errors.ts";
import type { AnswerOrigin, AttemptReport, ModelLimit, PreconnectReport } from "../gateway/types.ts";
import { quote } from "../text/safeText.ts";

/** One line of the log about one attempt. */
export function attemptLine(report: AttemptReport): string {
  const { operation, entry, status, duration, requestId, failure, unknownReason } = report;
  const request = requestId && `request ${quote(requestId)}`;
  const reason = unknownReason && `unknown finish reason ${quote(unknownReason)}`;
  return joined(operation, entry, status && `status ${status}`, `${Math.round(duration)} ms`, request, failure, reason);
}

/** A debug line about a preconnect. */
export function preconnectLine({ entry, duration, failure }: PreconnectReport): string {
  return joined("preconnect", entry, `${Math.round(duration)} ms`, failure);
}

/** A line of the log about a limit that the gateway has reported, and the new maximum of prompts in tokens. */
export function tokenLimitLine({ model, tokenLimit, limits }: ModelLimit, tokens: number): string {
  const named = `${limits} of ${tokenLimit} tokens`;
  return `limit · ${quote(model)} · the gateway names a limit (${named}): prompts have ${tokens} tokens until settings change`;
}

/** A line of the log about usage that could not be written yet. */
export function usageProblemLine(error: unknown): string {
  return `usage · not written yet, tried again · ${quote(error instanceof Error ? error.message : String(error))}`;
}

/** A line of the log about a model that an entry answers through `/v1/responses`. */
export function responsesLine({ entry, model = "", hasTools = false }: AnswerOrigin): string {
  const tools = hasTools ? "with tools" : "without tools";
  return `responses · ${entry} · ${quote(model)} ${tools} · the gateway answers it through /v1/responses, which is asked first`;
}

/** A log line for a failure: where it happened, the error codes of its causes, and its kind. */
export function failureLine(operation: string, error: GatewayError): string {
  const { kind, entry, status, requestId, message, tokenLimit } = error;
  const facts = joined(
    `${operation}: ${kind}`,
    entry,
    status && `status ${status}`,
    requestId && `request ${requestId}`,
    tokenLimit && `limit ${tokenLimit} tokens`,
    ...causeCodes(error),
    message,
  );
  return quote(facts, 400);
}

function joined(...facts: readonly (string | number | undefined)[]): string {
  return facts.filter(Boolean).join(" · ");
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
