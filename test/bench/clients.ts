import { createParser } from "eventsource-parser";
import { Agent, request } from "undici";
import { createGateway } from "../../src/gateway/client.ts";
import type { Gateway } from "../../src/gateway/types.ts";
import { plainSettings } from "../support/plainSettings.ts";
import type { Side } from "./rows.ts";

/** Passes on the pieces of a text as they arrive, and resolves at the end of the answer. */
export type Ask = (onText: (text: string) => void) => Promise<void>;

const model = "gpt-5.4";
const key = "sk-bench-0123456789";
const messages = [{ role: "user" as const, content: "Why is the sky blue?" }];

/** The client with the settings of a user. */
export function gatewayFor(baseUrl: string): Gateway {
  const settings = { ...plainSettings, baseUrl };
  return createGateway({ settings: () => settings, key: () => Promise.resolve(key) });
}

/** The client and raw undici, each with connections of its own: the first question of each is asked on a cold one. */
export function newClients(baseUrl: string): Record<Side, Ask> {
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
