import { networkInterfaces } from "node:os";
import type { Clock } from "../policy/clock.ts";

/** Keep-alive timeout of idle connections, in milliseconds; a server's `Keep-Alive` header can change it. */
export const keepAliveTimeout = 30_000;

/** Maximum keep-alive timeout that undici takes from a server, in milliseconds (`keepAliveMaxTimeout`, undici 8.12). */
const maxKeepAlive = 600_000;

/** Lead of the wall clock over the monotonic one that means that the machine has slept, in milliseconds. */
const maxGap = 2_000;

/** How long the end of an exchange proves that the network is the same, in milliseconds. */
const proven = 1_000;

/** Dependencies of `StalenessWatch`. */
export interface Environment {
  readonly clock: Pick<Clock, "now" | "elapsed">;
  /** The machine's network addresses, as one text. */
  addresses(): string;
}

/**
 * Detects when idle connections to a server may be dead without any event: after sleep, and after a change of
 * network. Whether the monotonic clock stops during sleep depends on the platform (libuv's `uv_hrtime`), so both
 * clocks are compared: if it does, the wall clock runs ahead; if not, the time since the last use exceeds the keep-alive
 * timeout, which undici's timers miss because they count ticks (lib/util/timers.js, undici 8.12).
 */
export class StalenessWatch {
  readonly #environment: Environment;
  /** Addresses of the machine when a connection was first alive. Reading them takes up to half a millisecond. */
  #addresses: string | undefined;
  #running = 0;
  #lifetime = keepAliveTimeout;
  #now = 0;
  #elapsed = 0;

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#record();
  }

  get isStale(): boolean {
    const elapsed = this.#environment.clock.elapsed() - this.#elapsed;
    const byWall = this.#environment.clock.now() - this.#now;
    if (byWall - elapsed > maxGap) return true;
    if (this.#running === 0 && elapsed > this.#lifetime) return true;
    if (this.#addresses === undefined || elapsed < proven) return false;
    return this.#environment.addresses() !== this.#addresses;
  }

  begin(): void {
    this.#running += 1;
  }

  end(): void {
    this.#running -= 1;
    this.#record();
    // Only after the reader has received the data that has just arrived.
    if (this.#addresses === undefined) {
      setImmediate(() => (this.#addresses ??= this.#environment.addresses())).unref();
    }
  }

  /** Reads how long the server keeps idle connections from the `Keep-Alive` header of an answer, as undici does. */
  learn(header: string | readonly string[] | undefined): void {
    const seconds = /timeout=(\d+)/.exec(String(header ?? ""))?.[1];
    this.#lifetime = seconds === undefined ? keepAliveTimeout : Math.min(Number(seconds) * 1_000, maxKeepAlive);
  }

  /** Records that a connection is alive now. */
  #record(): void {
    this.#now = this.#environment.clock.now();
    this.#elapsed = this.#environment.clock.elapsed();
  }
}

/** The addresses of this machine, without loopback and link-local ones, which change with containers and idle adapters. */
export function systemAddresses(): string {
  try {
    return Object.values(networkInterfaces())
      .flatMap((addresses = []) => addresses)
      .filter(({ address, internal }) => !internal && !/^(169\.254\.|fe[89ab])/i.test(address))
      .map(({ address }) => address)
      .sort()
      .join();
  } catch {
    // Some sandboxes forbid it.
    return "";
  }
}
