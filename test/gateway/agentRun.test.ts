import assert from "node:assert/strict";
import type { ChatMessage, ToolCall } from "../../src/gateway/types.ts";
import type { Conversation } from "../support/gateway/conversation.ts";
import { startGateway } from "../support/gateway/gateway.ts";
import type { Reply } from "../support/gateway/reply.ts";
import type { Modes } from "../support/gateway/types.ts";
import { clientOn, partsOf, textIn } from "../support/localClient.ts";
import { resultsIn } from "../support/resultsIn.ts";

const turns = 30;

/** Looks at one place after the other. Results in the form of text count, too. */
function reply({ turns: told }: Conversation): Reply {
  const asText = told.map(({ text }) => text.match(/^Result of the tool call /gm)?.length ?? 0);
  const done = told.filter(({ role }) => role === "tool").length + asText.reduce((sum, count) => sum + count, 0);
  if (done === turns) return { text: "All seen.", calls: [] };
  const place = String(done + 1);
  return { text: "", calls: [{ id: `call_series_${place}`, name: "look", input: JSON.stringify({ place }) }] };
}

/** Runs the tools that the model calls until it answers in text, as an agent does. */
async function run(modes: Partial<Modes>) {
  await using local = await startGateway({ modes, reply });
  const client = clientOn(local);
  const tools = [{ name: "look", description: "Looks.", inputSchema: { type: "object" } }];
  const messages: ChatMessage[] = [{ role: "user", content: "Please look everywhere." }];
  try {
    for (;;) {
      const parts = await partsOf(
        client.gateway.ask({ model: "gpt-5.4", messages, tools, api: "auto" }, new AbortController().signal),
      );
      const toolCalls = parts.flatMap((part): ToolCall[] => (part.type === "toolCall" ? [part] : []));
      if (toolCalls.length === 0) return { text: textIn(parts), requests: local.requests.slice() };
      messages.push({ role: "assistant", content: "", toolCalls });
      for (const { id, input } of toolCalls)
        messages.push({ role: "tool", toolCallId: id, content: `Seen at ${JSON.stringify(input)}` });
    }
  } finally {
    await client.gateway.dispose();
  }
}

describe("an agent run of 30 turns", () => {
  const gateways: readonly (readonly [string, Partial<Modes>, readonly string[]])[] = [
    ["serves everything", {}, []],
    ["serves the model through responses only", { responsesOnly: "all" }, ["chat 404"]],
    ["serves tools through responses only", { responsesOnly: "tools" }, ["chat 400"]],
    [
      "serves the model through responses only, and takes questions as text only",
      { responsesOnly: "all", inputList: false },
      ["chat 404", "responses 400"],
    ],
  ];
  for (const [what, modes, extra] of gateways)
    it(`brings every tool result once to a gateway that ${what}`, async () => {
      const { text, requests } = await run(modes);
      assert.equal(text, "All seen.");
      assert.deepEqual(
        requests
          .filter(({ status }) => status !== 200)
          .map(({ operation = "", status = 0 }) => `${operation} ${status}`),
        extra,
      );
      assert.equal(requests.length, turns + 1 + extra.length);
      const expected = Array.from({ length: turns }, (_, index) => [
        `call_series_${index + 1}`,
        `Seen at {"place":"${index + 1}"}`,
      ]);
      assert.deepEqual(resultsIn(requests.at(-1)?.body), expected);
    });
});
