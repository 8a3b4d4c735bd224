import { type Clean, withoutKeys } from "../../base/withoutKeys.ts";
import type { HttpAnswer } from "../network/exchange.ts";

/** A header's first value, trimmed. `name` must be in lower case. */
export function header(headers: HttpAnswer["headers"], name: string): string | undefined {
  const value = headers[name];
  return (typeof value === "string" ? value : value?.[0])?.trim();
}

/** The media type in lower case, without parameters; empty if there is none. */
export function mediaType(headers: HttpAnswer["headers"]): string {
  return header(headers, "content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
}

/** The request id to quote to the gateway's operator, from the headers that OpenAI-compatible services use. */
export function requestId(headers: HttpAnswer["headers"], clean: Clean = withoutKeys): string | undefined {
  const id = header(headers, "x-request-id") ?? header(headers, "request-id") ?? header(headers, "x-oneapi-request-id");
  return id === undefined
    ? undefined
    : clean(id)
        .replace(/[^\x21-\x7e]/g, "")
        .slice(0, 100) || undefined;
}

/** Longest wait that is reported, one year in milliseconds. Keeps dates valid. */
const longest = 31_536_000_000;

/**
 * Reads how long the gateway asks to wait, in milliseconds: `retry-after-ms`, else `Retry-After` in seconds or as an
 * HTTP date, relative to the answer's own `Date` (RFC 9110, 10.2.3). If the header is repeated, uses the longest, up to a
 * year. Anything else, including negative numbers, counts as absent. `now` is milliseconds since the epoch.
 */
export function retryAfter(headers: HttpAnswer["headers"], now: number): number | undefined {
  const sentAt = values(headers, "date").map(httpDate).find(Number.isFinite) ?? now;
  const delays = values(headers, "retry-after").map((value) => {
    const seconds = number(value);
    return Number.isNaN(seconds) ? Math.max(0, httpDate(value) - sentAt) : seconds * 1_000;
  });
  return longestOf(values(headers, "retry-after-ms").map(number)) ?? longestOf(delays);
}

function longestOf(delays: readonly number[]): number | undefined {
  const known = delays.filter((delay) => !Number.isNaN(delay));
  return known.length === 0 ? undefined : Math.min(longest, Math.max(...known));
}

function values(headers: HttpAnswer["headers"], name: string): readonly string[] {
  return [headers[name] ?? []].flat().map((value: string) => value.trim());
}

function number(text: string): number {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
}

/** A date in the preferred form (RFC 9110, 5.6.7), in milliseconds since the epoch; `NaN` for anything else. */
function httpDate(text: string): number {
  const date = Date.parse(text);
  return new Date(date).toUTCString() === text ? date : NaN;
}
