import { isLoopback } from "../baseUrl.ts";
import { GatewayError } from "../errors.ts";
import { Memory } from "../policy/memory.ts";
import type { GatewaySettings } from "../types.ts";
import { readTrust, type Trust } from "./certificates.ts";
import { decoded } from "./decoded.ts";
import { type ExchangeOptions, type HttpAnswer, type HttpRequest, TransportError } from "./exchange.ts";
import { nodeExchange } from "./nodeTransport.ts";
import { ForbiddenAddressError } from "./privateAddresses.ts";
import { proxyFor } from "./proxy.ts";
import { SlowConnectError, withScout } from "./scout.ts";
import type { Environment } from "./stalenessWatch.ts";
import { isNameNotResolved, isUnknownIssuer, mayConnectOtherwise, transportFailure } from "./transportErrors.ts";
import { type ConnectionOptions, Connections } from "./undiciTransport.ts";

/** Options of one request. */
export interface SendOptions extends ExchangeOptions {
  /** Whether to use a new connection for this request only. */
  readonly isFresh: boolean;
}

/** Sends requests through VS Code's proxies, with the system's certificates, on keep-alive connections. */
export class Network {
  readonly #settings: () => Pick<GatewaySettings, "proxy" | "certificateFile">;
  readonly #environment: Environment;
  /** By server and its proxy. Connections that may be dead are replaced before the next request. */
  readonly #connections = new Map<string, Connections>();
  #trustsSystem = false;
  /** What is trusted, with and without the system's store. */
  readonly #trust = new Map<boolean, Promise<Trust | undefined>>();
  /** Facts about origins. */
  #memory: Memory;

  constructor(settings: () => Pick<GatewaySettings, "proxy" | "certificateFile">, environment: Environment) {
    this.#settings = settings;
    this.#environment = environment;
    this.#memory = new Memory(() => environment.clock.elapsed());
  }

  /** Sends a request. Throws `TransportError`, `GatewayError` of kind `certificateFile`, or the signal's reason. */
  async send(request: HttpRequest, options: SendOptions): Promise<HttpAnswer> {
    const headers = { ...request.headers, ...identity, "accept-encoding": "identity" };
    return decoded(await this.#send({ ...request, headers }, options));
  }

  async #send(request: HttpRequest, options: SendOptions): Promise<HttpAnswer> {
    const { origin } = request.url;
    if (this.#usesFallback(request.url)) return await this.#throughFallback(request, options);
    try {
      const answer = await this.#trusting(() => this.#exchangeUnlessSlow(request, options));
      this.#memory.forget(origin, "failed");
      return answer;
    } catch (error) {
      if (error instanceof GatewayError) this.drop(request.url);
      if (error instanceof TransportError && error.isStale && !options.isFresh)
        return await this.#send(request, { ...options, isFresh: true });
      if (!mayUseFallback(error, request.url)) throw error;
      return await this.#tryFallback(request, options, error);
    }
  }

  #usesFallback({ origin }: URL): boolean {
    return this.#memory.known(origin).has("fallback");
  }

  /** Uses the fallback transport, and stops preferring it once it cannot connect. */
  async #throughFallback(request: HttpRequest, options: SendOptions): Promise<HttpAnswer> {
    try {
      return await this.#fallback(request, options);
    } catch (error) {
      if (error instanceof TransportError && error.sent === "no") this.#memory.forget(request.url.origin, "fallback");
      throw error;
    }
  }

  async #tryFallback(request: HttpRequest, options: SendOptions, first: unknown): Promise<HttpAnswer> {
    try {
      const answer = await this.#fallback(request, options);
      if (this.#isPermanent(first, request.url)) this.#memory.learn(request.url.origin, ["fallback"]);
      return answer;
    } catch (second) {
      options.signal.throwIfAborted();
      // If the fallback reaches a server, even one with a bad certificate, its error is more useful.
      const isReached = second instanceof TransportError && transportFailure(second).kind !== "unreachable";
      throw isReached ? second : first;
    }
  }

  /**
   * Whether a failure of the first transport is permanent. A name that cannot be resolved or a slow connection may be
   * temporary, so a later failure has to confirm it.
   */
  #isPermanent(failure: unknown, { origin }: URL): boolean {
    if (!isNameNotResolved(failure) && !(failure instanceof SlowConnectError)) return true;
    if (this.#memory.known(origin).has("failed")) return true;
    this.#memory.learn(origin, ["failed"]);
    return false;
  }

  /** Discards connections and everything learned, after a change of settings. */
  renew(): void {
    this.#trustsSystem = false;
    this.#memory = new Memory(() => this.#environment.clock.elapsed());
    this.#trust.clear();
    this.drop();
  }

  /** Discards the connections to a server that seems dead, or all, once their running exchanges have ended. */
  drop(url?: URL): void {
    for (const [key, connections] of this.#connections) {
      if (url !== undefined && !key.startsWith(`${url.origin} `)) continue;
      this.#connections.delete(key);
      void connections.close();
    }
  }

  /**
   * Opens a connection that the next request to the server of `url` will use, within `limit` milliseconds, without sending
   * a request. Does nothing if a connection is open, after another attempt within 20 s, or with the fallback
   * transport. Returns whether it opened one; rejects if that failed, and learns nothing from it.
   */
  async preconnect(url: URL, limit: number): Promise<boolean> {
    if (this.#usesFallback(url) || this.#memory.known(url.origin).has("preconnected")) return false;
    const connections = this.#connectionsTo(url);
    if (connections.isInUse) return false;
    this.#memory.learn(url.origin, ["preconnected"], preconnectPause);
    await connections.preconnect(url, limit);
    return true;
  }

  /** Closes all connections immediately. Never rejects. */
  async dispose(): Promise<void> {
    const closing = [...this.#connections.values()];
    this.#connections.clear();
    await Promise.all(closing.map((connections) => connections.destroy()));
  }

  async #exchange(request: HttpRequest, options: SendOptions): Promise<HttpAnswer> {
    if (!options.isFresh) return await this.#connectionsTo(request.url).exchange(request, options);
    const connections = this.#open(request.url, { lookup: options.lookup });
    try {
      const answer = await connections.exchange(request, options);
      void connections.close();
      return answer;
    } catch (error) {
      void connections.destroy();
      throw error;
    }
  }

  #connectionsTo(url: URL): Connections {
    const key = this.#keyOf(url);
    const current = this.#connections.get(key);
    if (current && !current.isStale) return current;
    if (current) this.drop(url);
    const connections = this.#open(url, { environment: this.#environment });
    this.#connections.set(key, connections);
    return connections;
  }

  /** What connections to the server of a URL depend on. */
  #keyOf(url: URL): string {
    const proxy = proxyFor(url, this.#settings().proxy, process.env)?.url.href ?? "";
    return `${url.origin} ${proxy} ${String(this.#trustsSystem)}`;
  }

  #open(url: URL, more: Pick<ConnectionOptions, "lookup" | "environment">): Connections {
    const { proxy: settings } = this.#settings();
    const proxy = proxyFor(url, settings, process.env);
    return new Connections({
      origin: url.origin,
      proxy: proxy && { url: proxy.url, authorization: settings.authorization, strictSsl: settings.strictSsl },
      trust: this.#trusted(this.#trustsSystem),
      ...more,
    });
  }

  /** Once for all connections, because reading and parsing the certificates can take seconds. */
  #trusted(isSystem: boolean): Promise<Trust | undefined> {
    const trust = this.#trust.get(isSystem) ?? readTrust(this.#settings().certificateFile, isSystem);
    this.#trust.set(isSystem, trust);
    // Retry an unreadable certificate file with the next request.
    trust.catch(() => this.#trust.delete(isSystem));
    return trust;
  }

  /** Makes an exchange, and repeats it with the system's certificates if the issuer of the server's is unknown. */
  async #trusting(exchange: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
    const trustedSystem = this.#trustsSystem;
    try {
      return await exchange();
    } catch (error) {
      if (!isUnknownIssuer(error) || trustedSystem) throw error;
      this.#trustsSystem = true;
      return await exchange();
    }
  }

  /** Makes an exchange; gives up if only the fallback transport can connect. */
  #exchangeUnlessSlow(request: HttpRequest, options: SendOptions): Promise<HttpAnswer> {
    if (isLoopback(request.url.hostname)) return this.#exchange(request, options);
    // Without the headers of the request, which may contain a key.
    const target = { method: "GET", url: request.url, headers: identity } as const;
    return withScout(
      options,
      (direct) => this.#exchange(request, { ...direct, isFresh: options.isFresh }),
      (scout) => this.#fallback(target, scout),
    );
  }

  #fallback(request: HttpRequest, options: ExchangeOptions): Promise<HttpAnswer> {
    return this.#trusting(() => nodeExchange(request, options, () => this.#trusted(this.#trustsSystem)));
  }
}

/** Minimum time between two preconnects to the same server, in milliseconds. */
const preconnectPause = 20_000;

/** Whether to try VS Code's proxy support, which knows more than the settings. Never after sending, nor for loopback. */
function mayUseFallback(error: unknown, url: URL): error is TransportError {
  if (!(error instanceof TransportError) || error.sent !== "no" || isLoopback(url.hostname)) return false;
  // `withScout` has tried it at the same time.
  if (error.cause instanceof ForbiddenAddressError || error.isConnectTimeout) return false;
  return mayConnectOtherwise(error);
}

/**
 * Name and version as in package.json. Firewalls can reject requests without a user agent, for example Cloudflare's
 * Browser Integrity Check (`browser_check` in Cloudflare's API documentation).
 */
export const userAgent = "codex-gateway/1.2.0";

const identity = { "user-agent": userAgent } as const;
