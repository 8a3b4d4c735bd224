import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { EntryName, KeyGroup } from "../../../src/gateway/types.ts";
import { chatAnswer } from "./chatAnswer.ts";
import { Entry, usualModes } from "./entry.ts";
import { Journal } from "./exchange.ts";
import { imageHandler } from "./imageHandler.ts";
import { ImageHost } from "./imageHost.ts";
import { reply } from "./reply.ts";
import { responsesAnswer } from "./responsesAnswer.ts";
import { textHandler } from "./textHandler.ts";
import { readChat, readResponses } from "./textRequest.ts";
import type { Fault, GatewayStart, ImageHostFault, ImageHostModes, Modes, RecordedRequest, Script } from "./types.ts";
import { until } from "./until.ts";

/** The service on loopback, with everything that tests can do to it. URLs have no `/v1`. */
export interface LocalGateway extends AsyncDisposable {
  readonly primary: { readonly url: string };
  readonly backup: { readonly url: string };
  readonly imageHost: { readonly url: string } & Script<ImageHostFault, ImageHostModes>;
  /** The same over HTTP: `POST /<command>` with a JSON object, as in `controlServer.ts`. */
  readonly control: { readonly url: string };
  readonly keys: Readonly<Record<KeyGroup, string>>;
  /** The requests to both entries, in order of arrival. */
  readonly requests: readonly RecordedRequest[];
  /** The requests that want something, without the client's own questions whether an entry lives. */
  readonly asked: readonly RecordedRequest[];
  /** The number of connections to both entries so far. */
  readonly connections: number;
  /** The requests to the image host. */
  readonly downloads: readonly RecordedRequest[];
  /** The number of held answers. */
  readonly held: number;
  entry(name: EntryName): Script<Fault, Modes>;
  /** Sets modes of both entries. */
  mode(modes: Partial<Modes>): void;
  /** Releases the oldest `count` held answers, or all. */
  release(count?: number): void;
  /** Waits for a condition; rejects after `timeout` milliseconds, 30,000 by default. */
  until(isReached: (requests: readonly RecordedRequest[], held: number) => boolean, timeout?: number): Promise<void>;
  /** Closes an entry's port and connections. */
  stopEntry(name: EntryName): Promise<void>;
  /** Opens the same port again. */
  startEntry(name: EntryName): Promise<void>;
  /** Clears requests and faults, releases held answers, restores the initial modes and opens both entries. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

const keys: Readonly<Record<KeyGroup, string>> = {
  codex: "sk-codex-demo-0123456789abcdef",
  image: "sk-image-demo-0123456789abcdef",
};

/** Starts both entries, the image host and the control on loopback. */
export async function startGateway(start: GatewayStart = {}): Promise<LocalGateway> {
  const requests = new Journal();
  const downloads = new Journal();
  const images = new ImageHost();
  const imageServer = await LoopbackServer.start(start.ports?.imageHost ?? 0, (request, response) => {
    void images.answer(downloads.open("imageHost", request, response));
  });
  const say = start.reply ?? reply;
  const handlers = {
    chat: textHandler(readChat, chatAnswer, say),
    responses: textHandler(readResponses, responsesAnswer, say),
    image: imageHandler((id, picture) => imageServer.url + images.publish(id, picture)),
  };
  const entries = {
    primary: new Entry("primary", { ...usualModes, ...start.modes }, keys, handlers),
    backup: new Entry("backup", { ...usualModes, ...start.modes }, keys, handlers),
  };
  const serve = (name: EntryName): Promise<LoopbackServer> =>
    LoopbackServer.start(start.ports?.[name] ?? 0, (request, response) => {
      void entries[name].answer(requests.open(name, request, response));
    });
  const servers = { primary: await serve("primary"), backup: await serve("backup") };
  const controlServer = await LoopbackServer.start(start.ports?.control ?? 0, (request, response) => {
    void answerControl(gateway, request, response);
  });
  const both = [entries.primary, entries.backup];

  const gateway: LocalGateway = {
    primary: servers.primary,
    backup: servers.backup,
    imageHost: Object.assign(images.script, { url: imageServer.url }),
    control: controlServer,
    keys,
    requests: requests.records,
    get asked() {
      return requests.records.filter(({ method }) => method !== "HEAD");
    },
    get connections() {
      return servers.primary.connections + servers.backup.connections;
    },
    downloads: downloads.records,
    get held() {
      return entries.primary.gate.size + entries.backup.gate.size;
    },
    entry: (name) => entries[name].script,
    mode(modes) {
      for (const { script } of both) script.mode(modes);
    },
    release(count) {
      for (const { gate } of both) gate.release(count);
    },
    until: (isReached, timeout = 30_000) =>
      until(() => isReached(gateway.requests, gateway.held), timeout, String(isReached)),
    async stopEntry(name) {
      requests.disown(name);
      await servers[name].stop();
    },
    startEntry: (name) => servers[name].restart(),
    async reset() {
      for (const { script, gate } of both) {
        script.reset();
        gate.release();
      }
      images.script.reset();
      requests.clear();
      downloads.clear();
      await Promise.all([servers.primary.restart(), servers.backup.restart()]);
    },
    async close() {
      await Promise.all([...Object.values(servers), imageServer, controlServer].map((server) => server.stop()));
    },
    [Symbol.asyncDispose]: () => gateway.close(),
  };
  return gateway;
}

/** An HTTP server on 127.0.0.1 that can stop and restart on the same port. */
class LoopbackServer {
  readonly #server: Server;
  #connections = 0;
  #port: number;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.#port = port;
    server.on("connection", () => (this.#connections += 1));
  }

  /** The number of connections so far. */
  get connections(): number {
    return this.#connections;
  }

  /** Listens on `port`; 0: on any. */
  static async start(port: number, listener: RequestListener): Promise<LoopbackServer> {
    const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, listener);
    const loopback = new LoopbackServer(server, port);
    await loopback.restart();
    return loopback;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Frees the port and closes every connection. */
  async stop(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  /** Restarts on the same port. */
  async restart(): Promise<void> {
    if (this.#server.listening) return;
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    if (typeof address === "object" && address !== null) this.#port = address.port;
  }
}

/** What a command is about. */
interface Order {
  readonly entry: EntryName;
  readonly count?: number;
  readonly fault: Fault;
  readonly modes: Partial<Modes>;
}

/** The control commands: `POST /<command>` with a JSON object. Every answer is JSON. Only people send them. */
const commands: Readonly<Record<string, (gateway: LocalGateway, order: Order) => unknown>> = {
  next: (gateway, { entry, count = 1, fault }) => {
    gateway.entry(entry).next(count, fault);
  },
  always: (gateway, { entry, fault }) => {
    gateway.entry(entry).always(fault);
  },
  mode: (gateway, { modes }) => {
    gateway.mode(modes);
  },
  stopEntry: (gateway, { entry }) => gateway.stopEntry(entry),
  startEntry: (gateway, { entry }) => gateway.startEntry(entry),
  reset: (gateway) => gateway.reset(),
  requests: ({ requests }) => requests,
};

/** Answers a request to the control. */
async function answerControl(gateway: LocalGateway, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const send = (status: number, value: unknown): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  };
  try {
    const command = commands[(request.url ?? "").slice(1)];
    if (!command) throw new Error(`Commands: ${Object.keys(commands).join(", ")}`);
    const order = JSON.parse((await text(request)) || "{}") as Order;
    send(200, (await command(gateway, order)) ?? {});
  } catch (error) {
    send(400, { error: String(error) });
  }
}
