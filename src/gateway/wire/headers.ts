import { type Clean, withoutKeys } from "../../text/withoutKeys.ts";
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
