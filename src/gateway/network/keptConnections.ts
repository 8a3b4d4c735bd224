import { Connection, type Surroundings } from "./connection.ts";
import type { Connections } from "./undiciTransport.ts";

/** Connections to one server, and what is known of the way there. */
interface Kept {
  readonly origin: string;
  readonly connection: Connection;
  readonly connections: Promise<Connections>;
}

/** Opens connections to the server of a URL, noting their use. */
type Open = (url: URL, connection: Connection) => Promise<Connections>;

/** The minimum time between two connections that are opened ahead for the same server, in milliseconds. */
const pause = 20_000;

/** The kept connections, by server and the way to it. Those that may be dead are replaced before the next request. */
export class KeptConnections {
  readonly #surroundings: Surroundings;
  readonly #open: Open;
  readonly #kept = new Map<string, Kept>();
  /** When a connection was last opened ahead, by origin. */
  readonly #aheadAt = new Map<string, number>();

  constructor(surroundings: Surroundings, open: Open) {
    this.#surroundings = surroundings;
    this.#open = open;
  }

  /** The connections to a server. `way` says what else they depend on, such as the proxy. */
  to(url: URL, way: string): Promise<Connections> {
    const key = `${url.origin} ${way}`;
    const kept = this.#kept.get(key);
    if (kept && !kept.connection.isStale) return kept.connections;
    if (kept) this.drop(url.origin);
    const connection = new Connection(this.#surroundings);
    const made = { origin: url.origin, connection, connections: this.#open(url, connection) };
    this.#kept.set(key, made);
    made.connections.catch(() => {
      if (this.#kept.get(key) === made) this.#kept.delete(key);
    });
    return made.connections;
  }

  /** Opens a connection for the next request, if none was opened a while before. Returns whether it did. */
  async connectAhead(url: URL, way: string, limit: number): Promise<boolean> {
    const { origin } = url;
    if (this.#kept.get(`${origin} ${way}`)?.connection.isStale) {
      this.drop(origin);
      this.#aheadAt.delete(origin);
    }
    const now = this.#surroundings.elapsed();
    const before = this.#aheadAt.get(origin);
    if (before !== undefined && now - before < pause) return false;
    const connections = await this.to(url, way);
    if (connections.isInUse) return false;
    this.#aheadAt.set(origin, now);
    await connections.connectAhead(url, limit);
    return true;
  }

  /** Forgets everything, and closes the connections once their running exchanges have ended. */
  renew(): void {
    this.#aheadAt.clear();
    this.drop();
  }

  /** Closes the connections to a server, or all, once their running exchanges have ended. */
  drop(origin?: string): void {
    for (const [key, kept] of this.#kept) {
      if (origin !== undefined && kept.origin !== origin) continue;
      this.#kept.delete(key);
      kept.connections.then((old) => old.close()).catch(() => undefined);
    }
  }

  /** Closes all connections immediately. */
  async destroy(): Promise<void> {
    const kept = [...this.#kept.values()];
    this.#kept.clear();
    await Promise.all(kept.map(async ({ connections }) => (await connections).destroy()));
  }
}
