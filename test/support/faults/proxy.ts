import { once } from "node:events";
import { createServer, request as send } from "node:http";
import { connect, type Socket } from "node:net";
import type { FaultServer } from "./faultServer.ts";

/** A proxy on loopback that alone can resolve the hosts. */
export interface Proxy extends AsyncDisposable {
  /** The URL, with user name and password if the proxy requires them. */
  readonly url: string;
  readonly port: number;
  /** The requested hosts, as in `CONNECT gateway.test:443`. */
  readonly asked: readonly string[];
  /** All headers sent to the proxy itself. */
  readonly seen: string;
  readonly open: number;
}

/** Options of a proxy. */
export interface ProxyOptions {
  /** The required `Proxy-Authorization`; any other gets a 407. */
  readonly authorization?: string;
  /** Answers to `CONNECT` with this, which may be nothing, and closes the connection if it `ends`. */
  readonly answer?: { readonly text: string; readonly ends?: boolean };
}

/** Starts a proxy that knows these hosts. */
export async function startProxy(
  hosts: Readonly<Record<string, FaultServer>>,
  { authorization, answer }: ProxyOptions = {},
): Promise<Proxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  let seen = "";
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "");
    asked.push(`GET ${url.host}`);
    const target = hosts[url.hostname];
    const isWelcome = authorization === undefined || request.headers["proxy-authorization"] === authorization;
    if (!isWelcome || target === undefined) {
      response.writeHead(isWelcome ? 502 : 407).end();
      return;
    }
    const { port } = target;
    delete request.headers["proxy-authorization"];
    const onward = {
      agent: false,
      host: "127.0.0.1",
      port,
      path: url.pathname,
      method: request.method,
      headers: request.headers,
    };
    request.pipe(
      send(onward, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      }),
    );
  });
  server.on("connection", (socket) => {
    sockets.add(socket.on("error", () => undefined).once("close", () => sockets.delete(socket)));
  });
  server.on("connect", (request, socket: Socket) => {
    asked.push(`CONNECT ${request.url ?? ""}`);
    seen += request.rawHeaders.join("\n");
    socket.on("error", () => undefined);
    if (answer) {
      socket.write(answer.text);
      if (answer.ends) socket.end();
      socket.resume().once("end", () => socket.end());
      return;
    }
    const target = hosts[(request.url ?? "").split(":")[0] ?? ""];
    const isWelcome = authorization === undefined || request.headers["proxy-authorization"] === authorization;
    if (!isWelcome || target === undefined) {
      socket.end(`HTTP/1.1 ${isWelcome ? "502 Bad Gateway" : "407 Proxy Authentication Required"}\r\n\r\n`);
      return;
    }
    const onward = connect(target.port, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    socket.once("close", () => onward.destroy());
    onward.once("close", () => socket.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    port,
    asked,
    get seen() {
      return seen;
    },
    get open() {
      return sockets.size;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

/** Accepts connections and never answers. */
export const mute: ProxyOptions = { answer: { text: "" } };
