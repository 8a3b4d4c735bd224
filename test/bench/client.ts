import { createParser } from "eventsource-parser";
import { Agent, request } from "undici";
import { createGateway } from "../../src/gateway/client.ts";
import type { Gateway } from "../../src/gateway/types.ts";
import { plainSettings } from "../support/plainSettings.ts";
import { duration, type Group, inTurn, row, type Side } from "./rows.ts";

/** The limits, as multiples of raw undici's times. */
const limits = { stream: 1.1, warm: 2, cold: 1.3, download: 1.3 };

const chunks = 20_000;
const megabytes = 32;

const model = "gpt-5.4";
const key = "sk-bench-0123456789";
const messages = [{ role: "user" as const, content: "Why is the sky blue?" }];

/** Time that a long answer takes, the server sending as fast as it can. */
export const streams: Group = async (url) => {
  const clients = newClients(`${url}/stream/${chunks}`);
  const whole = Array.from({ length: chunks }, (_, index) => ` word${index}`).join("").length;
  const { ours, reference } = await inTurn({ rounds: 120, warmUps: 5 }, async (side) => {
    let length = 0;
    const time = await duration(() => clients[side]((text) => (length += text.length)));
    if (length !== whole) throw new Error(`Of ${whole} characters ${length} came.`);
    return time;
  });
  return [row(`answer of ${chunks.toLocaleString("en")} chunks, vs raw undici`, "ms", ours, reference, limits.stream)];
};

/** Time to the first piece of text, on a kept connection and on a new one. */
export const firstText: Group = async (url) => {
  const rounds = { rounds: 40, warmUps: 10 };
  const kept = newClients(`${url}/stream/1`);
  const warm = await inTurn(rounds, (side) => timeToText(kept[side]));
  const cold = await inTurn(rounds, (side) => timeToText(newClients(`${url}/stream/1`)[side]));
  const name = (state: string): string => `first text, ${state} connection, vs raw undici`;
  return [
    row(name("warm"), "ms", warm.ours, warm.reference, limits.warm),
    row(name("cold"), "ms", cold.ours, cold.reference, limits.cold),
  ];
};

/** Time that the download of a large image takes. */
export const download: Group = async (url) => {
  const address = `${url}/image/${megabytes}`;
  const gateway = gatewayFor(url);
  const { signal } = new AbortController();
  const sizes = {
    ours: async () => (await gateway.downloadImage(address, signal)).bytes.length,
    reference: async () => (await (await request(address)).body.arrayBuffer()).byteLength,
  };
  const { ours, reference } = await inTurn({ rounds: 10, warmUps: 2 }, (side) =>
    duration(async () => {
      if ((await sizes[side]()) < megabytes << 20) throw new Error("The file is not whole.");
    }),
  );
  await gateway.dispose();
  return [row(`image of ${megabytes} MB, vs raw undici`, "ms", ours, reference, limits.download)];
};

/** Passes on the pieces of a text as they arrive, and resolves at the end of the answer. */
type Ask = (onText: (text: string) => void) => Promise<void>;

/** How long it takes until the first text of an answer is there, in milliseconds. */
async function timeToText(ask: Ask): Promise<number> {
  const start = performance.now();
  let first = 0;
  await ask((text) => {
    if (text !== "") first ||= performance.now() - start;
  });
  return first;
}

/** The client and raw undici, each with connections of its own: the first question of each is asked on a cold one. */
function newClients(baseUrl: string): Record<Side, Ask> {
  const gateway = gatewayFor(baseUrl);
  const agent = new Agent();
  return {
    ours: async (onText) => {
      const { signal } = new AbortController();
      for await (const part of gateway.ask({ model, messages }, signal)) if (part.type === "text") onText(part.text);
    },
    reference: (onText) => askUndici(baseUrl, onText, agent),
  };
}

/** The client with the settings of a user. */
function gatewayFor(baseUrl: string): Gateway {
  const settings = { ...plainSettings, baseUrl };
  return createGateway({ settings: () => settings, key: () => Promise.resolve(key) });
}

/** The minimum that an answer takes: a request, its body, its events, the JSON in each of them. */
async function askUndici(baseUrl: string, onText: (text: string) => void, dispatcher: Agent): Promise<void> {
  const body = JSON.stringify({ model, messages, stream: true, stream_options: { include_usage: true } });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const answer = await request(`${baseUrl}/v1/chat/completions`, { method: "POST", headers, body, dispatcher });
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent({ data }) {
      if (data !== "[DONE]") onText((JSON.parse(data) as Chunk).choices[0]?.delta.content ?? "");
    },
  });
  for await (const chunk of answer.body as AsyncIterable<Buffer>) parser.feed(decoder.decode(chunk, { stream: true }));
}

interface Chunk {
  readonly choices: readonly { readonly delta: { readonly content?: string } }[];
}
