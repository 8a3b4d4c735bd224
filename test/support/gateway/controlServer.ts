import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { EntryName } from "../../../src/gateway/types.ts";
import type { LocalGateway } from "./gateway.ts";
import { isRecord, parseJson } from "./json.ts";
import type { Script } from "./types.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The control commands: `POST /<command>` with a JSON object. Every answer is JSON. Only people send them. */
const commands: Readonly<Record<string, (gateway: LocalGateway, fields: Fields) => unknown>> = {
  next: (gateway, { entry, count = 1, fault }) => {
    scriptOf(gateway, entry).next(Number(count), recordOf(fault));
  },
  always: (gateway, { entry, fault }) => {
    scriptOf(gateway, entry).always(fault === undefined ? undefined : recordOf(fault));
  },
  mode: (gateway, { entry, modes }) => {
    if (entry === undefined) gateway.mode(recordOf(modes));
    else scriptOf(gateway, entry).mode(recordOf(modes));
  },
  release: (gateway, { count }) => {
    gateway.release(typeof count === "number" ? count : undefined);
  },
  stopEntry: (gateway, { entry }) => gateway.stopEntry(entryOf(entry)),
  startEntry: (gateway, { entry }) => gateway.startEntry(entryOf(entry)),
  reset: (gateway) => gateway.reset(),
  requests: ({ requests }) => requests,
  downloads: ({ downloads }) => downloads,
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
    const body = await text(request);
    send(200, (await command(gateway, body === "" ? {} : recordOf(parseJson(body)))) ?? {});
  } catch (error) {
    send(400, { error: String(error) });
  }
}

function scriptOf(gateway: LocalGateway, entry: unknown): Script<object, object> {
  return entry === "imageHost" ? gateway.imageHost : gateway.entry(entryOf(entry));
}

function entryOf(value: unknown): EntryName {
  if (value === "primary" || value === "backup") return value;
  throw new Error(`No such entry: ${JSON.stringify(value)}`);
}

function recordOf(value: unknown): Fields {
  if (isRecord(value)) return value;
  throw new Error(`This is no object: ${JSON.stringify(value)}`);
}
