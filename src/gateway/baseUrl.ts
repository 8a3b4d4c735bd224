import { type BaseUrlFlaw, GatewayError, withDetails } from "./errors.ts";
import type { EntryName, GatewaySettings } from "./types.ts";

/** Maximum length of a base URL, in characters. */
const maxLength = 2_048;

/** What a base URL does not end with: slashes, `/v1`, and the operation in an address from documentation. */
const ending = /(?:\/(?:v1(?:\/(?:chat\/completions|responses|images\/generations|models))?)?)+$/i;

/**
 * Normalizes a base URL so that `/v1/…` can be appended: no surrounding spaces, trailing slashes, `/v1`, or operation after
 * it. Throws `GatewayError` of kind `badUrl`, with `flaw`, if it is not a usable http(s) URL.
 */
export function normalizeBaseUrl(text: string, allowInsecureHttp: boolean): string {
  const url = parse(text.trim());
  if (url.protocol === "http:" && !allowInsecureHttp && !isLoopback(url.hostname)) throw bad("insecure");
  return url.origin + url.pathname.replace(ending, "");
}

/** Whether a host name is a loopback address or `localhost`, including its subdomains (RFC 6761, 6.3). */
export function isLoopback(hostname: string): boolean {
  return hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname) || /^(.*\.)?localhost\.?$/.test(hostname);
}

/** Parses a URL without checking whether it is encrypted. */
function parse(text: string): URL {
  if (text.length > maxLength) throw bad("tooLong");
  // URL parsers remove line breaks and convert backslashes to slashes (WHATWG URL Standard), so the URL would differ from
  // the one the user sees.
  if (/[\s\\\p{C}]/u.test(text)) throw bad("characters");
  if (hasKey(text)) throw bad("key");
  const url = URL.parse(text);
  if (url === null) throw bad("notUrl");
  if (url.protocol !== "https:" && url.protocol !== "http:") throw bad("scheme");
  // The parser accepts any number of slashes, even if the host is missing.
  if (!/^\w+:\/\/[^/]/.test(text)) throw bad("notUrl");
  // Percent-encoding can make it longer, and the result must be valid input again.
  if (url.href.length > maxLength) throw bad("tooLong");
  if (hasKey(url.href)) throw bad("key");
  if (url.username !== "" || url.password !== "") throw bad("credentials");
  if (url.search !== "" || url.hash !== "") throw bad("query");
  return url;
}

/**
 * A key: `sk-` and parts joined by hyphens, one of which looks random, because hosts and paths may begin with `sk-`, too.
 * Text that is not a URL counts as a key if it begins with `sk-`.
 */
const key = /^sk-|(?<![a-z0-9])sk-(?:\w*-)*(?:(?=\w*\d)\w{6,}|\w{20,})/i;

/** Whether a text contains a key, even if percent-encoded several times. */
export function hasKey(text: string): boolean {
  for (let form = text; ;) {
    if (key.test(form)) return true;
    const decoded = form.replace(/%([2-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
    if (decoded === form) return false;
    form = decoded;
  }
}

function bad(flaw: BaseUrlFlaw): GatewayError {
  return new GatewayError("badUrl", `The base URL is unusable: ${flaw}.`, { flaw });
}

/** One entry of the gateway. */
export interface Entry {
  readonly name: EntryName;
  /** Normalized, so that `${baseUrl}/v1/…` is a valid URL. */
  readonly baseUrl: string;
}

/** The configured entries, primary first, without an equal backup. Throws `GatewayError`: `noEntry`, or `badUrl`. */
export function configuredEntries(settings: GatewaySettings): readonly [Entry, ...Entry[]] {
  if (settings.baseUrl.trim() === "") throw new GatewayError("noEntry", "No base URL is set.");
  const primary = entry("primary", settings.baseUrl, settings);
  if (settings.backupBaseUrl.trim() === "") return [primary];
  const backup = entry("backup", settings.backupBaseUrl, settings);
  return backup.baseUrl === primary.baseUrl ? [primary] : [primary, backup];
}

function entry(name: EntryName, url: string, { allowInsecureHttp }: GatewaySettings): Entry {
  try {
    return { name, baseUrl: normalizeBaseUrl(url, allowInsecureHttp) };
  } catch (error) {
    throw error instanceof GatewayError ? withDetails(error, { entry: name }) : error;
  }
}
