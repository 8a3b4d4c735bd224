import type { LookupFunction } from "node:net";
import type { SecureContext } from "node:tls";
import { unlessAborted } from "../abort.ts";
import { isLoopback } from "../baseUrl.ts";
import { Memory } from "../policy/memory.ts";
import type { GatewaySettings } from "../types.ts";
import { secureContext } from "./certificates.ts";
import { Connection, type Surroundings } from "./connection.ts";
import { decoded } from "./decoded.ts";
import { type ExchangeOptions, type HttpAnswer, type HttpRequest, TransportError } from "./exchange.ts";
import { nodeExchange } from "./nodeTransport.ts";
import { ForbiddenAddressError, judge } from "./privateAddresses.ts";
import { proxyFor } from "./proxy.ts";
import { isResolverFailure, isUnknownIssuer, mayConnectOtherwise, transportFailure } from "./transportErrors.ts";
import { Connections } from "./undiciTransport.ts";

/** Options of one request. */
export interface SendOptions extends ExchangeOptions {
  /** Whether to use a new connection for this request only. */
  readonly isFresh: boolean;
  /** Whether another entry is healthy, so that no time is spent on the fallback transport. */
  readonly hasHealthyBackup: boolean;
}

/** Connections to one server, and what is known of the way there. */
interface Kept {
  readonly origin: string;
  readonly connection: Connection;
  readonly connections: Promise<Connections>;
}

/** Sends requests through VS Code's proxies, with the system's certificates, on kept connections. */
export class Network {
  readonly #settings: () => Pick<GatewaySettings, "proxy" | "certificateFile">;
  readonly #surroundings: Surroundings;
  /** By server and the way to it. Those that may be dead are replaced before the next request. */
  readonly #kept = new Map<string, Kept>();
  #trustsSystem = false;
  readonly #contexts = new Map<boolean, Promise<SecureContext | undefined>>();
  /** Facts about origins. */
  #memory: Memory;

  constructor(settings: () => Pick<GatewaySettings, "proxy" | "certificateFile">, surroundings: Surroundings) {
    this.#settings = settings;
    this.#surroundings = surroundings;
    this.#memory = new Memory(() => surroundings.clock.elapsed());
  }

  /** Sends a request. Throws `TransportError`, `GatewayError` of kind `certificateFile`, or the signal's reason. */
  async send(request: HttpRequest, options: SendOptions): Promise<HttpAnswer> {
    const headers = { ...request.headers, "user-agent": userAgent, "accept-encoding": "identity" };
    return decoded(await this.#send({ ...request, headers }, options));
  }

  async #send(request: HttpRequest, options: SendOptions): Promise<HttpAnswer> {
    if (this.#usesFallback(request.url)) return await this.#throughFallback(request, options);
    const trustedSystem = this.#trustsSystem;
    try {
      const answer = await this.#exchange(request, options);
      this.#memory.forget(request.url.origin, "unresolved", "just unresolved");
      return answer;
    } catch (error) {
      if (error instanceof TransportError && error.isStale)
        return await this.#send(request, { ...options, isFresh: true });
      if (isUnknownIssuer(error) && !trustedSystem) {
        this.#trustsSystem = true;
        return await this.#exchange(request, options);
      }
      if (!mayUseFallback(error, request.url, options)) throw error;
      return await this.#tryFallback(request, options, error);
    }
  }

  /** Whether the fallback transport is tried first. */
  #usesFallback({ origin }: URL): boolean {
    return this.#memory.known(origin).has("fallback");
  }

  /** Uses the fallback transport, and stops preferring it once it cannot connect. */
  async #throughFallback(request: HttpRequest, options: SendOptions): Promise<HttpAnswer> {
    try {
      return await judgedExchange(request, options);
    } catch (error) {
      if (error instanceof TransportError && error.sent === "no") this.#memory.forget(request.url.origin, "fallback");
      throw error;
    }
  }

  async #tryFallback(request: HttpRequest, options: SendOptions, first: unknown): Promise<HttpAnswer> {
    try {
      const answer = await judgedExchange(request, options);
      if (this.#isLasting(first, request.url)) this.#memory.learn(request.url.origin, ["fallback"], fallbackTime);
      return answer;
    } catch (second) {
      options.signal.throwIfAborted();
      // A fallback that reaches a server, even one with a bad certificate, has the more useful error.
      const isThere = second instanceof TransportError && transportFailure(second).kind !== "unreachable";
      throw isThere ? second : first;
    }
  }

  /** Whether a failure of the first transport will last. A resolver's is often over soon, so a later one has to confirm it. */
  #isLasting(failure: unknown, { origin }: URL): boolean {
    if (!isResolverFailure(failure)) return true;
    const known = this.#memory.known(origin);
    if (!known.has("unresolved")) {
      this.#memory.learn(origin, ["unresolved"], fallbackTime);
      this.#memory.learn(origin, ["just unresolved"], shortHiccup);
    }
    return known.has("unresolved") && !known.has("just unresolved");
  }

  /** Discards connections and everything learned, after a change of settings. */
  renew(): void {
    this.#trustsSystem = false;
    this.#memory = new Memory(() => this.#surroundings.clock.elapsed());
    this.#contexts.clear();
    this.drop();
  }

  /** Discards the connections to a server that seems dead, or all, once their running exchanges have ended. */
  drop(url?: URL): void {
    for (const [key, kept] of this.#kept) {
      if (url !== undefined && kept.origin !== url.origin) continue;
      this.#kept.delete(key);
      kept.connections.then((old) => old.close()).catch(() => undefined);
    }
  }

  /**
   * Opens a connection that the next request to the server of `url` will use, within `limit` milliseconds, without sending
   * a request. Does nothing if there is a connection, or was an attempt less than 20 s ago, or where VS Code makes the
   * connections. Returns whether it opened one; rejects if that failed, and learns nothing from it.
   */
  async connectAhead(url: URL, limit: number): Promise<boolean> {
    if (this.#usesFallback(url)) return false;
    const { origin } = url;
    if (this.#kept.get(this.#wayTo(url))?.connection.isStale) {
      this.drop(url);
      this.#memory.forget(origin, "opened ahead");
    }
    if (this.#memory.known(origin).has("opened ahead")) return false;
    const connections = await this.#keptTo(url);
    if (connections.isInUse) return false;
    this.#memory.learn(origin, ["opened ahead"], pauseAhead);
    await connections.connectAhead(url, limit);
    return true;
  }

  /** Closes all kept connections immediately. */
  async dispose(): Promise<void> {
    const kept = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(kept.map(async ({ connections }) => (await connections).destroy()));
  }

  async #exchange(request: HttpRequest, options: SendOptions): Promise<HttpAnswer> {
    if (!options.isFresh) return (await this.#keptTo(request.url)).exchange(request, options);
    if (proxyFor(request.url, this.#settings().proxy, process.env)) await judgeName(request, options);
    const connections = await this.#open(request.url, { lookup: options.lookup });
    try {
      const answer = await connections.exchange(request, options);
      void connections.close();
      return answer;
    } catch (error) {
      void connections.destroy();
      throw error;
    }
  }

  #keptTo(url: URL): Promise<Connections> {
    const key = this.#wayTo(url);
    const kept = this.#kept.get(key);
    if (kept && !kept.connection.isStale) return kept.connections;
    if (kept) this.drop(url);
    const connection = new Connection(this.#surroundings);
    const made = { origin: url.origin, connection, connections: this.#open(url, { connection }) };
    this.#kept.set(key, made);
    made.connections.catch(() => {
      if (this.#kept.get(key) === made) this.#kept.delete(key);
    });
    return made.connections;
  }

  /** What connections to the server of a URL depend on. */
  #wayTo(url: URL): string {
    const proxy = proxyFor(url, this.#settings().proxy, process.env)?.url.href ?? "";
    return `${url.origin} ${proxy} ${String(this.#trustsSystem)}`;
  }

  /** One TLS context for all connections, because reading and parsing the certificates can take seconds. */
  #context(certificateFile: string, system: boolean): Promise<SecureContext | undefined> {
    const context = this.#contexts.get(system) ?? secureContext(certificateFile, system);
    this.#contexts.set(system, context);
    // Retry an unreadable certificate file with the next request.
    context.catch(() => this.#contexts.delete(system));
    return context;
  }

  async #open(
    url: URL,
    { lookup, connection }: { readonly lookup?: LookupFunction | undefined; readonly connection?: Connection },
  ): Promise<Connections> {
    const { proxy: settings, certificateFile } = this.#settings();
    const proxy = proxyFor(url, settings, process.env);
    const options = {
      proxy: proxy && { url: proxy.url, authorization: settings.authorization, strictSsl: settings.strictSsl },
      secureContext: await this.#context(certificateFile, this.#trustsSystem),
      lookup,
      connection,
      timeout: connectTimeout,
    };
    try {
      return new Connections(options);
    } catch (cause) {
      // undici does not support this kind of proxy; VS Code may.
      throw new TransportError("no", cause);
    }
  }
}

/** An exchange on the fallback transport, where a proxy of the system or of a script may resolve the name. */
async function judgedExchange(request: HttpRequest, options: ExchangeOptions): Promise<HttpAnswer> {
  await judgeName(request, options);
  return await nodeExchange(request, options);
}

/** Asks the lookup of an exchange, if it has its own, because a proxy asks none. */
async function judgeName({ url }: HttpRequest, { lookup, signal }: ExchangeOptions): Promise<void> {
  if (lookup === undefined) return;
  try {
    await unlessAborted(judge(url, lookup), signal);
  } catch (cause) {
    signal.throwIfAborted();
    throw new TransportError("no", cause);
  }
}

/** The minimum time between two connections that are opened ahead for the same server, in milliseconds. */
const pauseAhead = 20_000;

/** Connect timeout of a socket, in milliseconds; an exchange may have a shorter one. */
const connectTimeout = 10_000;

/** How long a name must be unresolvable before that counts, in milliseconds. */
const shortHiccup = 10_000;

/** How long the fallback transport is preferred, in milliseconds; the original obstacle may be temporary. */
const fallbackTime = 600_000;

/** Whether to try VS Code's own proxy support, which knows more than settings: if nothing was sent, never for this machine. */
function mayUseFallback(error: unknown, url: URL, { hasHealthyBackup }: SendOptions): boolean {
  if (!(error instanceof TransportError) || error.sent !== "no" || isLoopback(url.hostname)) return false;
  if (error.cause instanceof ForbiddenAddressError) return false;
  return error.isConnectTimeout ? !hasHealthyBackup : mayConnectOtherwise(error);
}

/**
 * Name and version as in package.json. Firewalls can reject requests without a user agent, for example Cloudflare's
 * Browser Integrity Check (`browser_check` in Cloudflare's API documentation).
 */
export const userAgent = "codex-gateway/1.1.0";
