import type { HttpAnswer } from "../network/exchange.ts";
import { type Clean, withoutKeys } from "./withoutKeys.ts";

/** A header's first value, trimmed; `name` in lower case. */
export function header(headers: HttpAnswer["headers"], name: string): string | undefined {
  const value = headers[name];
  return (typeof value === "string" ? value : value?.[0])?.trim();
}

/** The media type of an answer in lower case, without parameters; empty where none is declared. */
export function mediaType(headers: HttpAnswer["headers"]): string {
  return header(headers, "content-type")?.split(";")[0]?.trim().toLowerCase() ?? "";
}

/** The id to quote when asking the gateway's operator, under the names gateways use. */
export function requestId(headers: HttpAnswer["headers"], clean: Clean = withoutKeys): string | undefined {
  const id = header(headers, "x-request-id") ?? header(headers, "request-id") ?? header(headers, "x-oneapi-request-id");
  return id === undefined
    ? undefined
    : clean(id)
        .replace(/[^\x21-\x7e]/g, "")
        .slice(0, 100) || undefined;
}
