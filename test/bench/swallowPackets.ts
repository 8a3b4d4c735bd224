import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";

/** Listens and then never accepts: its thread is blocked. */
const listener = `
  const { createServer } = require("node:net");
  const { parentPort } = require("node:worker_threads");
  const server = createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;

/** A socket that waits this long on loopback, in milliseconds, is not being answered. */
const patience = 200;

/**
 * An address at which packets get lost, without the help of a firewall: once the queue of a listener that accepts
 * nothing is full, the system drops what else wants to connect.
 */
export async function swallowPackets(): Promise<AsyncDisposable & { readonly url: string }> {
  const worker = new Worker(listener, { eval: true });
  const [port] = (await once(worker, "message")) as [number];
  const waiting: Socket[] = [];
  for (let isFull = false; !isFull;) {
    const socket = connect(port, "127.0.0.1").on("error", () => undefined);
    waiting.push(socket);
    isFull = await Promise.race([once(socket, "connect").then(() => false), sleep(patience, true)]);
    if (waiting.length > 100) throw new Error("The queue of the listener does not fill up.");
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of waiting) socket.destroy();
      await worker.terminate();
    },
  };
}
