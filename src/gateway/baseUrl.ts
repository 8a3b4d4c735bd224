import { GatewayError } from "./errors.ts";

/**
 * The form of a base URL to which `/v1/…` can be appended: no surrounding spaces, trailing slashes or `/v1`.
 * Throws `GatewayError` of kind `badUrl` whose message says what is wrong, for anything that is not a usable http(s) URL.
 */
export function normalizeBaseUrl(text: string, allowInsecureHttp: boolean): string {
  const url = parse(text.trim());
  if (url.protocol !== "https:" && url.protocol !== "http:") throw bad("it does not start with https://");
  if (url.username !== "" || url.password !== "") throw bad("it contains a user name or password");
  if (url.search !== "" || url.hash !== "") throw bad("it has a query or a fragment");
  if (url.protocol === "http:" && !allowInsecureHttp && !isLoopback(url.hostname)) {
    throw bad("plain http would send the key unencrypted");
  }
  const path = url.pathname.replace(/\/+$/, "").replace(/(?:\/+v1)+$/i, "");
  return url.origin + path.replace(/\/+$/, "");
}

/** Whether a URL's host name is this machine by its literal form; `localhost` and its subdomains are (RFC 6761, 6.3). */
export function isLoopback(hostname: string): boolean {
  return hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname) || /^(.*\.)?localhost\.?$/.test(hostname);
}

function parse(text: string): URL {
  const url = URL.parse(text);
  if (url === null) throw bad("it is not a URL");
  return url;
}

function bad(reason: string): GatewayError {
  return new GatewayError("badUrl", reason);
}
