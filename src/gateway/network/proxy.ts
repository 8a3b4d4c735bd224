import { isLoopback } from "../baseUrl.ts";
import type { ProxySettings } from "../types.ts";

/** The proxy for a URL. `source` names the setting or variable it comes from. */
export interface Proxy {
  readonly url: URL;
  readonly source: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Finds the proxy for a URL in VS Code's order (`resolveProxy` in microsoft/vscode-proxy-agent): loopback is direct;
 * `http.noProxy` replaces NO_PROXY if set; `http.proxy`; the environment. `undefined` if none applies; the system may
 * still have one.
 */
export function proxyFor(url: URL, settings: ProxySettings, environment: Environment): Proxy | undefined {
  if (isLoopback(url.hostname)) return undefined;
  const exceptions =
    settings.noProxy.length > 0 ? settings.noProxy : (valueOf(environment, "no_proxy") ?? "").split(/[\s,]+/);
  if (exceptions.some((exception) => matches(url, exception))) return undefined;
  const names = url.protocol === "https:" ? ["https_proxy", "http_proxy"] : ["http_proxy"];
  const candidates = [
    { source: "http.proxy", text: settings.url },
    ...names.map((name) => ({ source: name.toUpperCase(), text: valueOf(environment, name) ?? "" })),
  ];
  const found = candidates.find(({ text }) => text.trim() !== "");
  if (found === undefined) return undefined;
  const text = found.text.trim();
  const proxy = URL.parse(text.includes("://") ? text : `http://${text}`);
  return proxy === null ? undefined : { url: proxy, source: found.source };
}

function valueOf(environment: Environment, name: string): string | undefined {
  return environment[name] ?? environment[name.toUpperCase()];
}

/** Maximum length of an exception, in characters: a host name has up to 253. A long one overflows the pattern's stack. */
const longestException = 300;

/** Whether a URL matches an exception: `*`, a host, or a domain (`.example.com`, `*.example.com`), perhaps with a port. */
function matches({ hostname, port, protocol }: URL, exception: string): boolean {
  if (exception === "*") return true;
  if (exception.length > longestException) return false;
  const [, domain = "", onlyPort] = /^\*?(.+?)(?::(\d+))?$/.exec(exception.trim().toLowerCase()) ?? [];
  if (domain === "") return false;
  if (onlyPort !== undefined && onlyPort !== (port || (protocol === "https:" ? "443" : "80"))) return false;
  return hostname === domain || hostname.endsWith(domain.startsWith(".") ? domain : `.${domain}`);
}
