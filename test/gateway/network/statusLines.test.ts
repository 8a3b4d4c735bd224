import assert from "node:assert/strict";
import { createServer } from "node:net";
import { once } from "node:events";
import { nodeExchange } from "../../../src/gateway/network/nodeTransport.ts";
import type { HttpAnswer, HttpRequest, ExchangeOptions } from "../../../src/gateway/network/exchange.ts";
import { TransportError } from "../../../src/gateway/network/exchange.ts";
import { transportFailure } from "../../../src/gateway/network/transportErrors.ts";
import { Connections } from "../../../src/gateway/network/undiciTransport.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";

type Transport = (request: HttpRequest, options: ExchangeOptions) => Promise<HttpAnswer>;

/** The kept connections without a proxy, for one exchange. */
const firstTransport: Transport = async (request, options) => {
  const connections = new Connections({
    proxy: undefined,
    secureContext: undefined,
    lookup: undefined,
    timeout: 1_000,
  });
  try {
    return await connections.exchange(request, options);
  } catch (error) {
    await connections.destroy();
    throw error;
  }
};

const transports: Readonly<Record<string, Transport>> = { "kept connections": firstTransport, fallback: nodeExchange };

/** What comes of answers that begin like this, the connection open or closed after it. */
const answers: readonly (readonly [start: string, kind: string])[] = [
  ...["000", "099", "42", "0", "-1", "1000", "abc", ""].map(
    (status) => [`HTTP/1.1 ${status} X\r\n`, "badGateway"] as const,
  ),
  ["HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 099 X\r\n", "badGateway"],
  ["HTTP/1.1 101 X\r\n", "connectionLost"],
];

describe("a status line that is none", () => {
  leavesNothing();

  for (const [name, transport] of Object.entries(transports)) {
    it(`ends the exchange at once: ${name}`, async () => {
      for (const [start, kind] of answers) {
        for (const rest of ["content-length: 2\r\n\r\n{}", "\r\n{}", "connection: close\r\n\r\n"]) {
          for (const isKept of [true, false]) {
            assert.equal(await kindOf(transport, start + rest, { isKept }), kind, JSON.stringify(start + rest));
          }
        }
      }
    });

    it(`says that a server speaks no TLS: ${name}`, async () => {
      for (const answer of ["HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-OpenSSH\r\n", "<html>"]) {
        assert.equal(await kindOf(transport, answer, { isKept: false, scheme: "https" }), "notHttps", answer);
      }
    });
  }

  async function kindOf(
    transport: Transport,
    answer: string,
    { isKept, scheme = "http" }: { readonly isKept: boolean; readonly scheme?: string },
  ): Promise<string> {
    const server = createServer((socket) => {
      socket.on("error", () => undefined).once("data", () => (isKept ? socket.write(answer) : socket.end(answer)));
    });
    await once(server.listen(0, "localhost"), "listening");
    const address = server.address();
    assert.ok(typeof address === "object" && address !== null);
    const url = new URL(`${scheme}://localhost:${address.port}/`);
    const limits = { connect: 5_000, headers: 60_000, idle: 60_000 };
    const signal = AbortSignal.timeout(30_000);
    const error: unknown = await transport({ method: "POST", url, headers: {}, body: "{}" }, { limits, signal }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    server.close();
    assert.ok(error instanceof TransportError, JSON.stringify(answer));
    return transportFailure(error).kind;
  }
});
