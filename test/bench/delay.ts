import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A relay to a server far away. */
export interface Distance extends AsyncDisposable {
  readonly port: number;
}

/**
 * Starts a TCP relay that delivers every chunk, in both directions, `delay` milliseconds after its arrival. A connection
 * to it opens as late as one to a distant server: the first bytes are held back by a round trip more.
 */
export async function startDistance(target: number, delay: number): Promise<Distance> {
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
