import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { EntryName } from "../../../src/gateway/types.ts";
import type { LocalGateway } from "./gateway.ts";
import type { Fault, Modes } from "./types.ts";

/** What a command is about. */
interface Order {
  readonly entry: EntryName;
  readonly count?: number;
  readonly fault: Fault;
  readonly modes: Partial<Modes>;
}

/** The control commands: `POST /<command>` with a JSON object. Every answer is JSON. Only people send them. */
const commands: Readonly<Record<string, (gateway: LocalGateway, order: Order) => unknown>> = {
  next: (gateway, { entry, count = 1, fault }) => {
    gateway.entry(entry).next(count, fault);
  },
  always: (gateway, { entry, fault }) => {
    gateway.entry(entry).always(fault);
  },
  mode: (gateway, { modes }) => {
    gateway.mode(modes);
  },
  stopEntry: (gateway, { entry }) => gateway.stopEntry(entry),
  startEntry: (gateway, { entry }) => gateway.startEntry(entry),
  reset: (gateway) => gateway.reset(),
  requests: ({ requests }) => requests,
};

/** Answers a request to the control. */
export async function answerControl(
  gateway: LocalGateway,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const send = (status: number, value: unknown): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  };
  try {
    const command = commands[(request.url ?? "").slice(1)];
    if (!command) throw new Error(`Commands: ${Object.keys(commands).join(", ")}`);
    const order = JSON.parse((await text(request)) || "{}") as Order;
    send(200, (await command(gateway, order)) ?? {});
  } catch (error) {
    send(400, { error: String(error) });
  }
}
