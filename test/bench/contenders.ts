import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { streamText } from "ai";
import { createParser } from "eventsource-parser";
import OpenAI from "openai";
import { Agent, request } from "undici";
import { createGateway } from "../../src/gateway/client.ts";
import type { Gateway } from "../../src/gateway/types.ts";
import { plainSettings } from "../support/plainSettings.ts";

/** A client: passes on the pieces of the text as they arrive, and resolves at the end of the answer. */
export type Contender = (baseUrl: string, onText: (text: string) => void) => Promise<void>;

/** The names of the clients; `ours` is compared with each of the others. */
export type ContenderName = "ours" | "raw undici" | "openai" | "ai";

const model = "gpt-5.4";
const key = "sk-bench-0123456789";
const question = "Why is the sky blue?";
const messages = [{ role: "user" as const, content: question }];

/** The client with the settings of a user. */
export function gatewayFor(baseUrl: string, backupBaseUrl = ""): Gateway {
  const settings = { ...plainSettings, baseUrl, backupBaseUrl };
  return createGateway({ settings: () => settings, key: () => Promise.resolve(key) });
}

/** Asks the client as a feature does. */
export async function askGateway(
  gateway: Gateway,
  onText: (text: string) => void,
  signal = new AbortController().signal,
): Promise<void> {
  for await (const part of gateway.ask({ model, messages }, signal)) if (part.type === "text") onText(part.text);
}

/** All contenders, each with connections of its own; the first request of each is made on a cold one. */
export function contenders(): Record<ContenderName, Contender> {
  const gateways = new Map<string, Gateway>();
  const agent = new Agent();
  return {
    ours(baseUrl, onText) {
      const gateway = gateways.get(baseUrl) ?? gatewayFor(baseUrl);
      gateways.set(baseUrl, gateway);
      return askGateway(gateway, onText);
    },
    "raw undici": (baseUrl, onText) => askUndici(baseUrl, onText, agent),
    openai: askOpenai,
    ai: askAi,
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

async function askOpenai(baseUrl: string, onText: (text: string) => void): Promise<void> {
  const client = new OpenAI({ baseURL: `${baseUrl}/v1`, apiKey: key, maxRetries: 0 });
  const stream_options = { include_usage: true };
  const chunks = await client.chat.completions.create({ model, messages, stream: true, stream_options });
  for await (const { choices } of chunks) onText(choices[0]?.delta.content ?? "");
}

async function askAi(baseUrl: string, onText: (text: string) => void): Promise<void> {
  const provider = createOpenAICompatible({ name: "bench", baseURL: `${baseUrl}/v1`, apiKey: key, includeUsage: true });
  const { textStream } = streamText({ model: provider(model), prompt: question, maxRetries: 0 });
  for await (const text of textStream) onText(text);
}
