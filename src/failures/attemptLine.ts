import type { AttemptReport } from "../gateway/types.ts";
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
