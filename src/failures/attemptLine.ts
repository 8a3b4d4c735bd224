import type { AnswerOrigin, AttemptReport, ModelLimit, PreconnectReport } from "../gateway/types.ts";
import { quote } from "../text/safeText.ts";

/** One line of the log about one attempt. */
export function attemptLine({ operation, entry, status, duration, requestId, failure }: AttemptReport): string {
  const facts = [
    operation,
    entry,
    status === undefined ? undefined : `status ${status}`,
    `${Math.round(duration)} ms`,
    requestId === undefined ? undefined : `request ${quote(requestId)}`,
    failure,
  ];
  return facts.filter((fact) => fact !== undefined).join(" · ");
}

/** A debug line about a connection that was opened before a question. */
export function preconnectLine({ entry, duration, failure }: PreconnectReport): string {
  return ["preconnect", entry, `${Math.round(duration)} ms`, failure].filter((fact) => fact !== undefined).join(" · ");
}

/** A line of the log about a limit that the gateway has named, and the tokens that prompts have from now on. */
export function tokenLimitLine({ model, tokenLimit, limits }: ModelLimit, tokens: number): string {
  const named = `${limits} of ${tokenLimit} tokens`;
  return `limit · ${quote(model)} · the gateway names a limit (${named}): prompts have ${tokens} tokens until settings change`;
}

/** A line of the log about usage that could not be written. It is tried again. */
export function usageProblemLine(error: unknown): string {
  return `usage · not written yet, tried again · ${quote(error instanceof Error ? error.message : String(error))}`;
}

/** A line of the log about a model that an entry turns out to serve through responses only. */
export function responsesLine({ entry, model = "", hasTools = false }: AnswerOrigin): string {
  const tools = hasTools ? "with tools" : "without tools";
  return `responses · ${entry} · ${quote(model)} ${tools} · the gateway serves it through /v1/responses only, which is asked until settings change`;
}
