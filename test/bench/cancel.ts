import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Fault, FaultServer } from "../support/faults/faultServer.ts";
import { broken, silence } from "../support/faults/faults.ts";
import { askGateway, gatewayFor } from "./clients.ts";
import { duration, type Group, row } from "./rows.ts";

const rounds = 30;

/** Longer than the client takes, in milliseconds. */
const timeForFirstText = 20;

/** The limit, in milliseconds. */
const limit = 50;

/** Time from Stop until the server sees the socket closed: while the model thinks, and in the middle of its answer. */
export const cancel: Group = async () => {
  const before = await measure(silence);
  const inside = await measure(broken({ after: 1, how: "stall" }));
  return [
    row("Stop before the answer: until the socket is closed, vs the limit", "ms", before, [limit], 1),
    row("Stop inside the answer: until the socket is closed, vs the limit", "ms", inside, [limit], 1),
  ];
};

async function measure(answer: Fault): Promise<number[]> {
  let arrived = Promise.withResolvers<Socket>();
  await using server = await FaultServer.start((exchange) => {
    answer(exchange);
    arrived.resolve(exchange.socket);
  });
  const gateway = gatewayFor(`http://127.0.0.1:${server.port}`);
  const times: number[] = [];
  while (times.length < rounds) {
    const stop = new AbortController();
    arrived = Promise.withResolvers();
    const asked = askGateway(gateway, () => undefined, stop.signal).catch(() => undefined);
    const closed = once(await arrived.promise, "close");
    await sleep(timeForFirstText);
    times.push(
      await duration(async () => {
        stop.abort();
        await Promise.all([closed, asked]);
      }),
    );
  }
  await gateway.dispose();
  return times;
}
