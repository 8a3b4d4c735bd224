import { BlockList, isIP } from "node:net";
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
  const exceptions = settings.noProxy.length > 0 ? settings.noProxy : valueOf(environment, "no_proxy").split(/[\s,]+/);
  if (exceptions.some((exception) => matches(url, exception))) return undefined;
  const names = url.protocol === "https:" ? ["https_proxy", "http_proxy"] : ["http_proxy"];
  const candidates = [
    { source: "http.proxy", text: settings.url },
    ...names.map((name) => ({ source: name.toUpperCase(), text: valueOf(environment, name) })),
  ];
  const found = candidates.find(({ text }) => text.trim() !== "");
  if (found === undefined) return undefined;
  const text = found.text.trim();
  const proxy = URL.parse(text.includes("://") ? text : `http://${text}`);
  return proxy === null ? undefined : { url: proxy, source: found.source };
}

function valueOf(environment: Environment, name: string): string {
  // An empty variable counts as unset.
  return [environment[name], environment[name.toUpperCase()]].find((text = "") => text !== "") ?? "";
}

/** Maximum length of an exception, in characters: a host name has up to 253. */
const maxException = 300;

/**
 * Whether a URL matches an exception: `*`, an address, a subnet (`10.0.0.0/8`), or a host with its subdomains
 * (`example.com`, `.example.com`; `*.example.com` is its subdomains only), optionally with a port. Does not resolve names.
 */
function matches({ hostname, port, protocol }: URL, exception: string): boolean {
  const text = exception.trim().toLowerCase();
  if (text === "" || text.length > maxException) return false;
  // An IPv6 address without brackets would seem to end with a port.
  const [, host = text, onlyPort] = /^(.+):(\d+)$/.exec(isIP(text) === 0 ? text : "") ?? [];
  if (onlyPort !== undefined && onlyPort !== (port || (protocol === "https:" ? "443" : "80"))) return false;
  const [target, name] = [bare(hostname), bare(host)];
  const [address = "", bits] = name.split("/");
  if (isIP(address) !== 0) return isIP(target) !== 0 && isWithin(target, address, bits);
  if (name.startsWith("*")) return target.endsWith(name.slice(1));
  return name !== "" && `.${target}`.endsWith(`.${name}`);
}

/** A host without a URL's brackets, and without the dots that may surround a domain. */
function bare(host: string): string {
  return host.replace(/[[\]]|^\.|\.$/g, "");
}

function isWithin(target: string, address: string, bits: string | undefined): boolean {
  const [family, length] = isIP(address) === 6 ? (["ipv6", 128] as const) : (["ipv4", 32] as const);
  const prefix = Number(bits ?? length);
  if (bits === "" || !Number.isInteger(prefix) || prefix < 0 || prefix > length) return false;
  const list = new BlockList();
  list.addSubnet(address, prefix, family);
  return list.check(target, isIP(target) === 6 ? "ipv6" : "ipv4");
}
