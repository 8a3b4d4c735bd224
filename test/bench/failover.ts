import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { FaultServer } from "../support/faults/faultServer.ts";
import { silence } from "../support/faults/faults.ts";
import { askGateway, gatewayFor } from "./contenders.ts";
import { duration, type Group, median, row, type Row } from "./rows.ts";

/** The next operation may take this much longer than with a healthy primary, in milliseconds. */
const noise = 2;

/** The time an operation takes because its primary fails: the first one, which finds out, and the next. */
export const failover: Group = async (url) => {
  const healthy = `${url}/stream/1`;
  await using swallowing = await swallowPackets();
  // `failing`: operations after which the breaker has to be open. `limit` of the first, in added milliseconds.
  const cases = [
    { how: "refuses the connection", primary: await refusing(), failing: 1, rounds: 20, limit: 20 },
    { how: "answers 529", primary: `${url}/overloaded`, failing: 2, rounds: 9, limit: undefined },
    { how: "swallows packets", primary: swallowing.url, failing: 1, rounds: 3, limit: 3_500 },
  ] as const;
  const rows: Row[] = [];
  for (const { how, primary, failing, rounds, limit } of cases) {
    const [added, next, usual]: [number[], number[], number[]] = [[], [], []];
    for (let round = -1; round < rounds; round += 1) {
      const broken = await firstAndNext(primary, healthy, failing);
      const working = await firstAndNext(healthy, healthy, failing);
      if (round < 0 && how !== "swallows packets") continue;
      added.push(broken.first - working.first);
      next.push(broken.next);
      usual.push(working.next);
    }
    const name = `primary ${how}: the first operation, added`;
    if (limit === undefined) rows.push(row(`${name}, vs the backoff's mean of 500 ms`, "ms", added, [500]));
    else rows.push(row(`${name}, vs the limit`, "ms", added, [limit], 1));
    const which = failing === 1 ? "the next operation" : "the operation after two";
    rows.push(row(`primary ${how}: ${which}, vs a healthy primary`, "ms", next, usual, 1 + noise / median(usual)));
  }
  return rows;
};

/** The first of `failing` operations of a client that knows nothing yet, and the one after them, in milliseconds. */
async function firstAndNext(
  primary: string,
  backup: string,
  failing: number,
): Promise<{ first: number; next: number }> {
  const gateway = gatewayFor(primary, backup);
  const times: number[] = [];
  while (times.length <= failing) times.push(await duration(() => askGateway(gateway, () => undefined)));
  await gateway.dispose();
  return { first: times[0] ?? NaN, next: times.at(-1) ?? NaN };
}

/** An address on which nobody listens. */
async function refusing(): Promise<string> {
  const server = await FaultServer.start(silence);
  const { port } = server;
  await server.stop();
  return `http://127.0.0.1:${port}`;
}

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
async function swallowPackets(): Promise<AsyncDisposable & { readonly url: string }> {
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
