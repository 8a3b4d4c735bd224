import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { EntryName } from "../../../src/gateway/types.ts";
import { isFault, isImageHostFault, isImageHostModes, isModes } from "./check.ts";
import type { LocalGateway } from "./gateway.ts";
import { isRecord, parseJson } from "./json.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The control commands: `POST /<command>` with a JSON object. Every answer is JSON. */
const commands: Readonly<Record<string, (gateway: LocalGateway, fields: Fields) => unknown>> = {
  next,
  always,
  mode,
  release: (gateway, { count }) => {
    gateway.release(typeof count === "number" ? count : undefined);
  },
  stopEntry: (gateway, { entry }) => gateway.stopEntry(entryOf(entry)),
  startEntry: (gateway, { entry }) => gateway.startEntry(entryOf(entry)),
  reset: (gateway) => gateway.reset(),
  state,
  requests: ({ requests }) => requests,
  downloads: ({ downloads }) => downloads,
};

/** Answers a request to the control. */
export async function answerControl(
  gateway: LocalGateway,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const command = commands[(request.url ?? "").slice(1)];
    if (!command) throw new Error(`Commands: ${Object.keys(commands).join(", ")}`);
    const body = await text(request);
    const fields = body === "" ? {} : parseJson(body);
    if (!isRecord(fields)) throw new Error("The body is not a JSON object.");
    send(response, 200, (await command(gateway, fields)) ?? {});
  } catch (error) {
    send(response, 400, { error: error instanceof Error ? error.message : String(error) });
  }
}

function next(gateway: LocalGateway, { entry, count = 1, fault }: Fields): void {
  if (typeof count !== "number") throw new Error("'count' is not a number.");
  if (entry === "imageHost" && isImageHostFault(fault)) gateway.imageHost.next(count, fault);
  else if (entry !== "imageHost" && isFault(fault)) gateway.entry(entryOf(entry)).next(count, fault);
  else throw new Error(`No such fault: ${JSON.stringify(fault)}`);
}

function always(gateway: LocalGateway, { entry, fault }: Fields): void {
  if (entry === "imageHost" && (fault === undefined || isImageHostFault(fault))) gateway.imageHost.always(fault);
  else if (entry !== "imageHost" && (fault === undefined || isFault(fault)))
    gateway.entry(entryOf(entry)).always(fault);
  else throw new Error(`No such fault: ${JSON.stringify(fault)}`);
}

function mode(gateway: LocalGateway, { entry, modes }: Fields): void {
  if (entry === "imageHost" && isImageHostModes(modes)) gateway.imageHost.mode(modes);
  else if (entry === undefined && isModes(modes)) gateway.mode(modes);
  else if (entry !== "imageHost" && isModes(modes)) gateway.entry(entryOf(entry)).mode(modes);
  else throw new Error(`No such modes: ${JSON.stringify(modes)}`);
}

function state({ primary, backup, imageHost, control, keys, held }: LocalGateway): unknown {
  return { primary: primary.url, backup: backup.url, imageHost: imageHost.url, control: control.url, keys, held };
}

function entryOf(value: unknown): EntryName {
  if (value === "primary" || value === "backup") return value;
  throw new Error(`No such entry: ${JSON.stringify(value)}`);
}

function send(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}
