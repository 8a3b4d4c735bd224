import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { askGateway, gatewayFor } from "./contenders.ts";
import { duration, type Group, row } from "./rows.ts";

const rounds = 30;

/** More than the client takes for it, in milliseconds. */
const timeForFirstText = 20;

/** What was promised, in milliseconds. */
const limit = 50;

const event = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "word" }, finish_reason: null }] })}\n\n`;

/** Time from Stop until the server sees the socket closed: while the model thinks, and in the middle of its answer. */
export const cancel: Group = async () => {
  const before = await measure(() => undefined);
  const inside = await measure((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write(event);
  });
  return [
    row("Stop before the answer: until the socket is closed, vs the limit", "ms", before, [limit], 1),
    row("Stop inside the answer: until the socket is closed, vs the limit", "ms", inside, [limit], 1),
  ];
};

async function measure(answer: RequestListener): Promise<number[]> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const gateway = gatewayFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const times: number[] = [];
  while (times.length < rounds) {
    const stop = new AbortController();
    const arrival = once(server, "request");
    const asked = askGateway(gateway, () => undefined, stop.signal).catch(() => undefined);
    const [{ socket }] = (await arrival) as [IncomingMessage];
    await sleep(timeForFirstText);
    const closed = untilClosed(socket);
    times.push(
      await duration(async () => {
        stop.abort();
        await Promise.all([closed, asked]);
      }),
    );
  }
  await gateway.dispose();
  server.close();
  return times;
}

/** Resolves when a socket is closed. A reset is an error for the socket, which `once` of node:events would throw. */
function untilClosed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.once("close", () => {
      resolve();
    });
  });
}
