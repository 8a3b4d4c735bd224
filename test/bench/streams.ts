import { fork } from "node:child_process";
import { once } from "node:events";
import { createParser } from "eventsource-parser";
import { request } from "undici";
import { createGateway } from "../../src/gateway/client.ts";
import { plainSettings } from "../support/plainSettings.ts";
import { type Group, row } from "./rows.ts";

const chunks = 20_000;
const [rounds, warmUps] = [120, 5];

/** The limit, as a multiple of raw undici's time. */
const limit = 1.1;

const model = "gpt-5.4";
const key = "sk-bench-0123456789";
const messages = [{ role: "user" as const, content: "Why is the sky blue?" }];

/** Passes on the pieces of an answer as they arrive, and resolves at its end. */
type Ask = (baseUrl: string, onText: (text: string) => void) => Promise<void>;

/** Time that a long answer takes, the server sending as fast as it can: the client's, and raw undici's. */
export const streams: Group = async () => {
  const server = fork(new URL("./server.ts", import.meta.url), [String(chunks)]);
  try {
    const [port] = (await once(server, "message")) as [number];
    const baseUrl = `http://127.0.0.1:${port}`;
    const sides = [
      { ask: clientWith(baseUrl), times: [] as number[] },
      { ask: askUndici, times: [] as number[] },
    ] as const;
    for (let round = 0; round < warmUps + rounds; round += 1) {
      // Every other round is backwards, so that neither always runs after the other.
      for (const { ask, times } of round % 2 === 0 ? sides : sides.toReversed()) times.push(await timeOf(ask, baseUrl));
    }
    const [ours, reference] = sides.map(({ times }) => times.slice(warmUps));
    const name = `answer of ${chunks.toLocaleString("en")} chunks, vs raw undici`;
    return [row(name, "ms", ours ?? [], reference ?? [], limit)];
  } finally {
    server.kill();
  }
};

async function timeOf(ask: Ask, baseUrl: string): Promise<number> {
  const start = performance.now();
  let length = 0;
  await ask(baseUrl, (text) => (length += text.length));
  const time = performance.now() - start;
  const whole = Array.from({ length: chunks }, (_, index) => ` word${index}`).join("").length;
  if (length !== whole) throw new Error(`Of ${whole} characters ${length} came.`);
  return time;
}

/** The client with the settings of a user. */
function clientWith(baseUrl: string): Ask {
  const settings = { ...plainSettings, baseUrl };
  const gateway = createGateway({ settings: () => settings, key: () => Promise.resolve(key) });
  return async (_, onText) => {
    const { signal } = new AbortController();
    for await (const part of gateway.ask({ model, messages }, signal)) if (part.type === "text") onText(part.text);
  };
}

/** The minimum that an answer takes: a request, its body, its events, the JSON in each of them. */
async function askUndici(baseUrl: string, onText: (text: string) => void): Promise<void> {
  const body = JSON.stringify({ model, messages, stream: true, stream_options: { include_usage: true } });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const answer = await request(`${baseUrl}/v1/chat/completions`, { method: "POST", headers, body });
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
