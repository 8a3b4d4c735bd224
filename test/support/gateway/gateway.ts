import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { json } from "node:stream/consumers";
import type { EntryName, KeyGroup } from "../../../src/gateway/types.ts";
import { chatAnswer } from "./chatAnswer.ts";
import { Entry, usualModes } from "./entry.ts";
import { type OpenRecord, recordExchange } from "./exchange.ts";
import { imageHandler, ImageHost } from "./imageHost.ts";
import { reply, type Reply } from "./reply.ts";
import { responsesAnswer } from "./responsesAnswer.ts";
import type { ServerScript } from "./script.ts";
import { textHandler } from "./textHandler.ts";
import { readChat, readResponses } from "./textRequest.ts";
import type { Fault, GatewayStart, Modes, RecordedRequest } from "./types.ts";
import { until } from "../until.ts";

const keys: Readonly<Record<KeyGroup, string>> = {
  codex: "sk-codex-demo-0123456789abcdef",
  image: "sk-image-demo-0123456789abcdef",
};

/** The service on loopback, with everything that tests can do to it. URLs have no `/v1`. */
export type LocalGateway = Awaited<ReturnType<typeof startGateway>>;

/** Starts both entries, the image host and the control on loopback. */
export async function startGateway({ ports, modes, reply: usualReply = reply }: GatewayStart = {}) {
  const replies: Reply[] = [];
  const nextReply: typeof reply = (conversation) => replies.shift() ?? usualReply(conversation);
  const requests: OpenRecord[] = [];
  const downloads: OpenRecord[] = [];
  const images = new ImageHost();
  const imageServer = await LoopbackServer.start(ports?.imageHost, (request, response) => {
    void images.answer(recordExchange(downloads, "imageHost", request, response));
  });
  const handlers = {
    chat: textHandler(readChat, chatAnswer, nextReply),
    responses: textHandler(readResponses, responsesAnswer, nextReply),
    image: imageHandler((id, picture) => imageServer.url + images.publish(id, picture)),
  };
  const newEntry = (name: EntryName): Entry => new Entry(name, { ...usualModes, ...modes }, keys, handlers);
  const entries = { primary: newEntry("primary"), backup: newEntry("backup") };
  const serve = (name: EntryName): Promise<LoopbackServer> =>
    LoopbackServer.start(ports?.[name], (request, response) => {
      void entries[name].answer(recordExchange(requests, name, request, response));
    });
  const servers = { primary: await serve("primary"), backup: await serve("backup") };
  const control = await LoopbackServer.start(ports?.control, (request, response) => {
    const command = commands[request.url ?? ""] ?? (() => Object.keys(commands));
    json(request)
      .then(async (input) => response.end(JSON.stringify(await command(gateway, input as CommandInput))))
      .catch((error: unknown) => response.writeHead(400).end(String(error)));
  });
  const both = [entries.primary, entries.backup];
  const held = (): number => entries.primary.gate.size + entries.backup.gate.size;
  const close = async (): Promise<void> => {
    await Promise.all([...Object.values(servers), imageServer, control].map((server) => server.stop()));
  };
  const gateway = {
    ...(servers as Readonly<Record<EntryName, { readonly url: string }>>),
    imageHost: Object.assign(images.script, { url: imageServer.url }),
    /** A part of the same over HTTP, see `commands`. */
    control: control as { readonly url: string },
    keys,
    /** The requests to both entries, in order of arrival. */
    requests: requests as readonly RecordedRequest[],
    /** The requests without the liveness checks of the client. */
    get asked(): readonly RecordedRequest[] {
      return requests.filter(({ method }) => method !== "HEAD");
    },
    get connections(): number {
      return servers.primary.connections + servers.backup.connections;
    },
    downloads: downloads as readonly RecordedRequest[],
    entry: (name: EntryName): ServerScript<Fault, Modes> => entries[name].script,
    /** Sets the texts of the model's next replies, in order. After these, it replies as usual. */
    reply(...texts: readonly string[]) {
      replies.push(...texts.map((text) => ({ text, calls: [] })));
    },
    mode(modes: Partial<Modes>) {
      for (const { script } of both) script.mode(modes);
    },
    release() {
      for (const { gate } of both) gate.release();
    },
    /** Waits for a condition; rejects when that takes too long. */
    until: (isReached: (requests: readonly RecordedRequest[], held: number) => boolean) =>
      until(() => isReached(requests, held()), String(isReached)),
    stopEntry: (name: EntryName) => servers[name].stop(),
    startEntry: (name: EntryName) => servers[name].restart(),
    /** Clears requests, replies, and faults, releases held answers, restores the initial modes and opens both entries. */
    async reset() {
      for (const { script, gate } of both) {
        script.reset();
        gate.release();
      }
      images.script.reset();
      for (const records of [requests, downloads, replies]) records.length = 0;
      await Promise.all([servers.primary.restart(), servers.backup.restart()]);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
  return gateway;
}

/** An HTTP server on 127.0.0.1 that can stop and restart on the same port. */
class LoopbackServer {
  readonly #server: Server;
  #port: number;
  connections = 0;

  private constructor(port: number, listener: RequestListener) {
    this.#port = port;
    this.#server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, listener);
    this.#server.on("connection", () => (this.connections += 1));
  }

  /** Listens on `port`; 0: on any. */
  static async start(port = 0, listener: RequestListener): Promise<LoopbackServer> {
    const loopback = new LoopbackServer(port, listener);
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

/** What people can do over HTTP: `POST /<command>` with a JSON object. */
const commands: Readonly<Record<string, (gateway: LocalGateway, input: CommandInput) => unknown>> = {
  "/next": (gateway, { entry, count = 1, fault }) => {
    gateway.entry(entry).next(count, fault);
  },
  "/mode": (gateway, { modes }) => {
    gateway.mode(modes);
  },
  "/stopEntry": (gateway, { entry }) => gateway.stopEntry(entry),
  "/startEntry": (gateway, { entry }) => gateway.startEntry(entry),
};

interface CommandInput {
  readonly entry: EntryName;
  readonly count?: number;
  readonly fault: Fault;
  readonly modes: Partial<Modes>;
}
