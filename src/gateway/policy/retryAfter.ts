import type { HttpAnswer } from "../network/exchange.ts";
import { header } from "../wire/headers.ts";

/**
 * How long the gateway asks to wait, in milliseconds: `retry-after-ms`, else `Retry-After` in seconds or as an HTTP
 * date. Anything else, negative numbers included, counts as absent. `now` is milliseconds since the epoch.
 */
export function retryAfter(headers: HttpAnswer["headers"], now: number): number | undefined {
  const milliseconds = number(header(headers, "retry-after-ms"));
  if (milliseconds !== undefined) return milliseconds;
  const text = header(headers, "retry-after");
  const seconds = number(text);
  if (seconds !== undefined) return seconds * 1_000;
  if (text === undefined || !httpDate.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** IMF-fixdate, the one form RFC 9110 lets servers send. */
const httpDate = /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

function number(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}
