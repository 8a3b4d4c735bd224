import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createGateway } from "../../src/gateway/client.ts";
import type { Gateway } from "../../src/gateway/types.ts";
import { certificateFile } from "../support/faults/faultServer.ts";
import { plainSettings } from "../support/plainSettings.ts";
import { askGateway } from "./contenders.ts";
import { startDistance } from "./delay.ts";
import { type Group, row } from "./rows.ts";

const rounds = 7;

/** The time to the server, in milliseconds. */
const delay = 50;

/** The time that a user types, in milliseconds. */
const typing = 2_000;

/** What was promised of a question after `preconnect`, against one on a warm connection. */
const limit = 1.1;

/** Time to the first text of a question over TLS to a distant server, on a connection that was opened before it. */
export const preconnect: Group = async () => {
  const server = await startTlsServer();
  await using distance = await startDistance((server.address() as AddressInfo).port, delay);
  const url = `https://localhost:${distance.port}`;
  const ahead: number[] = [];
  const cold: number[] = [];
  const warm: number[] = [];
  // All typing at the same time would be faster, but would measure the machine.
  for (let round = 0; round < rounds; round += 1) {
    const prepared = gatewayTo(url);
    prepared.preconnect();
    await sleep(typing);
    ahead.push(await timeToText(prepared));
    await sleep(delay * 3);
    warm.push(await timeToText(prepared));
    const unprepared = gatewayTo(url);
    cold.push(await timeToText(unprepared));
    await Promise.all([prepared.dispose(), unprepared.dispose()]);
  }
  server.close();
  server.closeAllConnections();
  const name = `first text ${typing / 1_000} s after preconnect, ${delay} ms away, over TLS`;
  return [
    row(`${name}, vs a warm connection`, "ms", ahead, warm, limit),
    row(`${name}, vs a new connection`, "ms", ahead, cold),
  ];
};

function gatewayTo(baseUrl: string): Gateway {
  const settings = { ...plainSettings, baseUrl, certificateFile: certificateFile("ca") };
  return createGateway({ settings: () => settings, key: () => Promise.resolve("sk-bench-0123456789") });
}

async function timeToText(gateway: Gateway): Promise<number> {
  const start = performance.now();
  let first = 0;
  await askGateway(gateway, () => {
    first ||= performance.now() - start;
  });
  return first;
}

async function startTlsServer(): Promise<Server> {
  const pem = readFileSync(certificateFile("localhost"));
  const text = { choices: [{ index: 0, delta: { content: "Blue." }, finish_reason: "stop" }] };
  const server = createServer({ key: pem, cert: pem, keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume().once("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`data: ${JSON.stringify(text)}\n\ndata: [DONE]\n\n`);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server;
}
