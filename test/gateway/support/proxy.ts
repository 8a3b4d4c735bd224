import { once } from "node:events";
import { createServer, type IncomingMessage, request as send } from "node:http";
import { connect, type Socket } from "node:net";
import type { FaultServer } from "./faultServer.ts";

/** Options of a proxy. */
export interface ProxyOptions {
  /** The required `Proxy-Authorization`; any other gets a 407. */
  readonly authorization?: string;
  /** Answers to `CONNECT` with this, which may be nothing, and closes the connection if it `ends`. */
  readonly answer?: { readonly text: string; readonly ends?: boolean };
}

/** Starts a proxy on loopback that alone can resolve these hosts. */
export async function startProxy(
  hosts: Readonly<Record<string, FaultServer>>,
  { authorization, answer }: ProxyOptions = {},
) {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  let seen = "";
  /** The server of a host, or the status of the refusal. */
  const targetOf = (host: string, { headers }: IncomingMessage): FaultServer | "502" | "407" => {
    if (authorization !== undefined && headers["proxy-authorization"] !== authorization) return "407";
    return hosts[host] ?? "502";
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "");
    asked.push(`GET ${url.host}`);
    const target = targetOf(url.hostname, request);
    if (typeof target === "string") {
      response.writeHead(Number(target)).end();
      return;
    }
    const { method, headers } = request;
    delete headers["proxy-authorization"];
    const onward = { agent: false, host: "127.0.0.1", port: target.port, path: url.pathname, method, headers };
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
    const target = targetOf((request.url ?? "").split(":")[0] ?? "", request);
    if (typeof target === "string") {
      socket.end(`HTTP/1.1 ${target} X\r\n\r\n`);
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
    /** The requested hosts, as in `CONNECT gateway.test:443`. */
    asked,
    /** All headers sent to the proxy itself. */
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
