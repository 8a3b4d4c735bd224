import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Gateway } from "../../src/gateway/types.ts";
import { right } from "../support/faults/faults.ts";
import { clientFor } from "../support/faults/bench.ts";
import { certificateFile, FaultServer } from "../support/faults/faultServer.ts";
import { plainSettings } from "../support/plainSettings.ts";
import { askGateway } from "./clients.ts";
import { type Group, row, timeToText } from "./rows.ts";

const rounds = 7;

/** The time to the server, in milliseconds. */
const delay = 50;

/** The time that a user types, in milliseconds. */
const typing = 2_000;

/** The limit for a question after `preconnect`, as a multiple of one on a warm connection. */
const limit = 1.1;

/** Time to the first text of a question over TLS to a distant server, on a connection that was opened before it. */
export const preconnect: Group = async () => {
  await using server = await FaultServer.start(right, { certificate: "localhost" });
  await using distance = await startDistance(server.port, delay);
  const address = { baseUrl: `https://localhost:${distance.port}`, certificateFile: certificateFile("ca") };
  const ask = (gateway: Gateway): Promise<number> => timeToText((onText) => askGateway(gateway, onText));
  const [ahead, warm]: [number[], number[]] = [[], []];
  // All typing at the same time would be faster, but would measure the machine.
  for (let round = 0; round < rounds; round += 1) {
    const gateway = clientFor(() => ({ ...plainSettings, ...address }), {});
    gateway.preconnect();
    await sleep(typing);
    ahead.push(await ask(gateway));
    await sleep(delay * 3);
    warm.push(await ask(gateway));
    await gateway.dispose();
  }
  const name = `first text ${typing / 1_000} s after preconnect, ${delay} ms away, over TLS, vs a warm connection`;
  return [row(name, "ms", ahead, warm, limit)];
};

/**
 * Starts a TCP relay that delivers every chunk, in both directions, `delay` milliseconds after its arrival. A connection
 * to it opens as late as one to a distant server: the first bytes are held back by a round trip more.
 */
async function startDistance(target: number, delay: number): Promise<AsyncDisposable & { readonly port: number }> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: target, host: "127.0.0.1", noDelay: true });
    for (const socket of [near, far]) {
      sockets.add(socket.on("error", () => undefined).once("close", () => sockets.delete(socket)));
    }
    // The system accepts at once; over a distance, the handshake of TCP takes a round trip.
    relay(near, far, delay, performance.now() + 2 * delay);
    relay(far, near, delay, 0);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Passes on what arrives, in order, and the end. Nothing leaves before `openAt`. */
function relay(from: Socket, to: Socket, delay: number, openAt: number): void {
  const later = (action: () => void): void => {
    const leaves = Math.max(performance.now(), openAt);
    setTimeout(action, leaves + delay - performance.now());
  };
  from.on("data", (chunk) => {
    later(() => {
      to.write(chunk);
    });
  });
  from.once("close", () => {
    later(() => to.end());
  });
}
