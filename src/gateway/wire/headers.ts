import { asCount, type JsonObject } from "../../base/json.ts";
import type { Clean } from "../../base/withoutKeys.ts";
import type { HttpAnswer } from "../network/exchange.ts";

/** A header's first value, trimmed. `name` must be in lowercase. */
export function header(headers: HttpAnswer["headers"], name: string): string | undefined {
  const value = headers[name];
  return (typeof value === "string" ? value : value?.[0])?.trim();
}

/** The media type in lowercase, without parameters; empty if there is none. */
export function mediaType(headers: HttpAnswer["headers"]): string {
  return header(headers, "content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
}

/** The request id to quote to the gateway's operator, from the headers that OpenAI-compatible services use. */
export function requestId(headers: HttpAnswer["headers"], clean: Clean): string | undefined {
  const id = header(headers, "x-request-id") ?? header(headers, "request-id") ?? header(headers, "x-oneapi-request-id");
  return id === undefined
    ? undefined
    : clean(id)
        .replace(/[^\x21-\x7e]/g, "")
        .slice(0, 100) || undefined;
}

/** Maximum wait that is reported: one year in milliseconds. Keeps dates valid. */
const maxRetryAfter = 31_536_000_000;

/**
 * Reads how long the gateway asks to wait, in milliseconds, up to a year: `retry-after-ms`, else `Retry-After` in seconds or
 * as an HTTP date, relative to the answer's own `Date` (RFC 9110, 10.2.3), else `resets_in_seconds` of the error, which gateways
 * pass on from Codex (router-for-me/CLIProxyAPI#1666). Anything else, including negative numbers, counts as absent. `now` is
 * milliseconds since the epoch.
 */
export function retryAfter(
  headers: HttpAnswer["headers"],
  now: number,
  layers: readonly JsonObject[] = [],
): number | undefined {
  const [exact = "", text = "", date = ""] = ["retry-after-ms", "retry-after", "date"].map((name) =>
    header(headers, name),
  );
  const untilDate = httpDate(text) - (httpDate(date) || now);
  const [reset = NaN] = layers.flatMap((layer) => asCount(layer.resets_in_seconds) ?? []);
  const delays = [number(exact), number(text) * 1_000, Math.max(0, untilDate), reset * 1_000];
  const delay = delays.find((one) => !Number.isNaN(one));
  return delay === undefined ? undefined : Math.min(maxRetryAfter, delay);
}

function number(text: string): number {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
}

/** A date in the preferred form (RFC 9110, 5.6.7), in milliseconds since the epoch; `NaN` for anything else. */
function httpDate(text: string): number {
  const date = Date.parse(text);
  return new Date(date).toUTCString() === text ? date : NaN;
}
