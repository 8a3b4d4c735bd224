import type { LookupFunction } from "node:net";
import type { SecureContext } from "node:tls";
import { isLoopback } from "../baseUrl.ts";
import type { GatewaySettings } from "../types.ts";
import { secureContext } from "./certificates.ts";
import { decoded } from "./decoded.ts";
import { type ExchangeOptions, type HttpAnswer, type HttpRequest, TransportError } from "./exchange.ts";
import { nodeExchange } from "./nodeTransport.ts";
import { ForbiddenAddressError } from "./privateAddresses.ts";
import { proxyFor } from "./proxy.ts";
import { isPassing, isUnknownIssuer, mayHaveOtherRoad, transportFailure } from "./transportErrors.ts";
import { Connections } from "./undiciTransport.ts";

/** How one request is sent. */
export interface SendOptions extends ExchangeOptions {
  /** On a connection of its own, which nothing else has used or will use. */
  readonly isFresh: boolean;
  /** Another entry stands by, so no time is spent on a second road to this one. */
  readonly hasHealthyBackup: boolean;
}

/** How the client reaches the network: VS Code's proxies, the system's certificates, kept connections. */
export class Network {
  readonly #settings: () => Pick<GatewaySettings, "proxy" | "certificateFile">;
  readonly #now: () => number;
  #trustsSystem = false;
  readonly #kept = new Map<string, Promise<Connections>>();
  readonly #contexts = new Map<boolean, Promise<SecureContext | undefined>>();
  /** Until when the second road is taken at once, by origin. */
  readonly #secondRoadUntil = new Map<string, number>();

  /** `now` is the time in milliseconds. */
  constructor(settings: () => Pick<GatewaySettings, "proxy" | "certificateFile">, now: () => number) {
    this.#settings = settings;
    this.#now = now;
  }

  /** Sends a request. Throws `TransportError`, `GatewayError` of kind `certificateFile`, or the reason of the signal. */
  async send(request: HttpRequest, options: SendOptions): Promise<HttpAnswer> {
    const headers = { ...request.headers, "user-agent": userAgent, "accept-encoding": "identity" };
    return decoded(await this.#send({ ...request, headers }, options));
  }

  async #send(request: HttpRequest, options: SendOptions): Promise<HttpAnswer> {
    if (this.#isOnSecondRoad(request.url)) return await this.#onSecondRoad(request, options);
    const trustedSystem = this.#trustsSystem;
    try {
      return await this.#exchange(request, options);
    } catch (error) {
      if (error instanceof TransportError && error.isStale)
        return await this.#send(request, { ...options, isFresh: true });
      if (isUnknownIssuer(error) && !trustedSystem) {
        this.#trustsSystem = true;
        return await this.#exchange(request, options);
      }
      if (!mayTakeSecondRoad(error, request.url, options)) throw error;
      return await this.#trySecondRoad(request, options, error);
    }
  }

  #isOnSecondRoad({ origin }: URL): boolean {
    const left = (this.#secondRoadUntil.get(origin) ?? 0) - this.#now();
    // More is left only after the clock was set back.
    return left > 0 && left <= secondRoadTime;
  }

  /** What cannot connect there any more is no reason to stay. */
  async #onSecondRoad(request: HttpRequest, options: SendOptions): Promise<HttpAnswer> {
    try {
      return await nodeExchange(request, options);
    } catch (error) {
      if (error instanceof TransportError && error.sent === "no") this.#secondRoadUntil.delete(request.url.origin);
      throw error;
    }
  }

  async #trySecondRoad(request: HttpRequest, options: SendOptions, first: unknown): Promise<HttpAnswer> {
    try {
      const answer = await nodeExchange(request, options);
      if (!isPassing(first)) this.#secondRoadUntil.set(request.url.origin, this.#now() + secondRoadTime);
      return answer;
    } catch (second) {
      options.signal.throwIfAborted();
      // Whoever answers there, if only with a certificate, is further than the first road leads.
      const isThere = second instanceof TransportError && transportFailure(second).kind !== "unreachable";
      throw isThere ? second : first;
    }
  }

  /** Starts anew after a change of settings: what was learned and kept belongs to the old ones. */
  renew(): void {
    this.#trustsSystem = false;
    this.#secondRoadUntil.clear();
    this.#contexts.clear();
    for (const connections of this.#kept.values()) connections.then((old) => old.close()).catch(() => undefined);
    this.#kept.clear();
  }

  /** Closes all kept connections at once. */
  async dispose(): Promise<void> {
    const kept = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(kept.map(async (connections) => (await connections).destroy()));
  }

  async #exchange(request: HttpRequest, options: SendOptions): Promise<HttpAnswer> {
    if (!options.isFresh) return (await this.#keptFor(request.url)).exchange(request, options);
    const connections = await this.#open(request.url, options.lookup);
    try {
      const answer = await connections.exchange(request, options);
      void connections.close();
      return answer;
    } catch (error) {
      void connections.destroy();
      throw error;
    }
  }

  #keptFor(url: URL): Promise<Connections> {
    const key = `${proxyFor(url, this.#settings().proxy, process.env)?.url.href ?? ""} ${String(this.#trustsSystem)}`;
    const kept = this.#kept.get(key) ?? this.#open(url);
    this.#kept.set(key, kept);
    kept.catch(() => this.#kept.delete(key));
    return kept;
  }

  /** One context serves all connections: to read and parse the certificates can take seconds. */
  #context(certificateFile: string, system: boolean): Promise<SecureContext | undefined> {
    const context = this.#contexts.get(system) ?? secureContext({ certificateFile, system });
    this.#contexts.set(system, context);
    // A certificate file that could not be read is read again for the next request.
    context.catch(() => this.#contexts.delete(system));
    return context;
  }

  async #open(url: URL, lookup?: LookupFunction): Promise<Connections> {
    const { proxy: settings, certificateFile } = this.#settings();
    const proxy = proxyFor(url, settings, process.env);
    const options = {
      proxy: proxy && { url: proxy.url, authorization: settings.authorization, strictSsl: settings.strictSsl },
      secureContext: await this.#context(certificateFile, this.#trustsSystem),
      lookup,
      timeout: connectTimeout,
    };
    try {
      return new Connections(options);
    } catch (cause) {
      // A kind of proxy that undici does not know; VS Code may.
      throw new TransportError("no", cause);
    }
  }
}

/** When a socket gives up connecting, in milliseconds; an exchange may give up earlier. */
const connectTimeout = 10_000;

/** How long the second road is taken at once, in milliseconds: what closed the first may pass. */
const secondRoadTime = 600_000;

/** VS Code may know a way that the settings do not tell: only when nothing was sent, and never to this machine. */
function mayTakeSecondRoad(error: unknown, url: URL, { hasHealthyBackup }: SendOptions): boolean {
  if (!(error instanceof TransportError) || error.sent !== "no" || isLoopback(url.hostname)) return false;
  if (error.cause instanceof ForbiddenAddressError) return false;
  return error.isConnectTimeout ? !hasHealthyBackup : mayHaveOtherRoad(error);
}

/** Name and version, the latter as in package.json: some firewalls refuse requests that do not say who sends them. */
export const userAgent = "codex-gateway/1.0.0";
