import { createHash } from "node:crypto";
import { encode } from "gpt-tokenizer";
import type { ChatMessage } from "../../src/gateway/types.ts";
import { asArray } from "../../src/base/json.ts";
import { clientFor } from "../support/faults/bench.ts";
import { bodyOf, right } from "../support/faults/faults.ts";
import { type Fault, FaultServer } from "../support/faults/faultServer.ts";
import { partsOf } from "../support/localClient.ts";
import { plainSettings } from "../support/plainSettings.ts";
import { type Group, row } from "./rows.ts";

const requests = 20;
const accounts = 8;

/** The limit, in percent. */
const mostUncached = 15;

/** OpenAI caches prompts from 1,024 tokens on, in blocks of 128, and routes by the first 256 (Prompt Caching 201). */
const least = 1_024;
const block = 128;
const routed = 256;

/** How a gateway chooses the account: by the conversation's key, or without a key by the beginning, or in turn. */
type Route = "key" | "beginning" | "turn";

/** Input tokens of two Agent turns, side by side, that are not found in a cache of the gateway, in percent. */
export const promptCache: Group = async () => {
  const ours = await uncachedShare("key");
  const name = "Agent turn of 20 requests: input tokens not cached";
  return [
    row(`${name}, vs the limit`, "%", [ours], [mostUncached], 1),
    row(`${name}, vs accounts by the prompt's beginning`, "%", [ours], [await uncachedShare("beginning")]),
    row(`${name}, vs accounts in turn, as without a key`, "%", [ours], [await uncachedShare("turn")]),
  ];
};

/** Replays the turns at a gateway that shards over accounts. */
async function uncachedShare(route: Route): Promise<number> {
  const counts = { all: 0, cached: 0 };
  await using server = await FaultServer.start(sharding(route, counts));
  const settings = { ...plainSettings, baseUrl: `http://127.0.0.1:${server.port}` };
  const gateway = clientFor(() => settings, {});
  // Two conversations with the same instructions and tools, whose requests alternate.
  const turns = ["one", "two"].map((conversation) => ({ conversation, messages: beginning(conversation) }));
  for (let step = 0; step < requests; step += 1)
    for (const { conversation, messages } of turns) {
      const named = route === "key" ? { conversation } : {};
      await partsOf(gateway.ask({ model: "gpt-5.4", messages, tools, ...named }, new AbortController().signal));
      const id = `call_${step}`;
      const toolCalls = [{ id, name: "tool_3", input: { path: `src/file${step}.ts` } }];
      messages.push({ role: "assistant", content: "", toolCalls });
      messages.push({ role: "tool", toolCallId: id, content: textOf(`${conversation} ${step}`, 3_000) });
    }
  await gateway.dispose();
  return (100 * (counts.all - counts.cached)) / counts.all;
}

/** Counts the tokens of each prompt, and those that the cache of its account has. */
function sharding(route: Route, counts: { all: number; cached: number }): Fault {
  let count = 0;
  const caches = Array.from({ length: accounts }, (): Set<string> => new Set());
  return (exchange) => {
    const { prompt_cache_key: key, tools: offered, messages } = bodyOf(exchange.request);
    const tokens = encode([offered, ...asArray(messages)].map((part) => JSON.stringify(part)).join("\n"));
    const shard = typeof key === "string" ? key : tokens.slice(0, routed).join();
    const index = route === "turn" ? count++ : Number.parseInt(hashOf(shard).slice(0, 8), 16);
    const cache = caches[index % accounts];
    let cached = 0;
    for (let end = block; end <= tokens.length; end += block) {
      const prefix = hashOf(tokens.slice(0, end).join());
      if (cache?.has(prefix)) cached = end;
      cache?.add(prefix);
    }
    counts.all += tokens.length;
    if (cached >= least) counts.cached += cached;
    right(exchange);
  };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** As much as VS Code's Agent sends before the first tool is used: instructions of 22 KB and 40 tools in 52 KB. */
function beginning(conversation: string): ChatMessage[] {
  return [
    { role: "system", content: textOf("instructions", 22_000) },
    { role: "user", content: `${textOf(conversation, 2_000)} Look everywhere.` },
  ];
}

const tools = Array.from({ length: 40 }, (_, index) => ({
  name: `tool_${index}`,
  description: textOf(`tool ${index}`, 1_200),
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
}));

/** Words that are the same for a seed, `length` characters long. */
function textOf(seed: string, length: number): string {
  const words = encode(seed).map(String);
  return Array.from({ length: length / 8 }, (_, index) => `${words[index % words.length] ?? ""}w${index % 97}`)
    .join(" ")
    .slice(0, length);
}
