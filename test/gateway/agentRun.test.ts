import assert from "node:assert/strict";
import type { ChatMessage, ToolCall } from "../../src/gateway/types.ts";
import type { Modes } from "../support/gateway/types.ts";
import { partsOf, question, textIn, withLocalClient } from "../support/localClient.ts";
import { resultsIn } from "../support/resultsIn.ts";

const turns = 30;
const places = Array.from({ length: turns }, (_, index) => String(index + 1));

describe("an agent run of 30 turns", () => {
  const setup = withLocalClient({
    /** Calls the tool for one place after the other. Results can also be in the form of text. */
    reply: ({ turns: told }) => {
      const asText = told.flatMap(({ text }) => text.match(/^Result of the tool call /gm) ?? []);
      const place = places[told.filter(({ role }) => role === "tool").length + asText.length];
      if (place === undefined) return { text: "All seen.", calls: [] };
      return { text: "", calls: [{ id: `call_series_${place}`, name: "look", input: JSON.stringify({ place }) }] };
    },
  });

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
    it(`sends every tool result once to a gateway that ${what}`, async () => {
      const { client, local } = setup;
      local.mode(modes);
      const tools = [{ name: "look", description: "Looks.", inputSchema: { type: "object" } }];
      const messages: ChatMessage[] = [{ role: "user", content: "Please look everywhere." }];
      for (;;) {
        const request = question("", { messages, tools, api: "auto" });
        const parts = await partsOf(client.gateway.ask(request, new AbortController().signal));
        const toolCalls = parts.flatMap((part): ToolCall[] => (part.type === "toolCall" ? [part] : []));
        if (toolCalls.length === 0) {
          assert.equal(textIn(parts), "All seen.");
          break;
        }
        messages.push({ role: "assistant", content: "", toolCalls });
        for (const { id, input } of toolCalls)
          messages.push({ role: "tool", toolCallId: id, content: `Seen at ${JSON.stringify(input)}` });
      }
      const refused = local.requests.filter(({ status }) => status !== 200);
      const told = refused.map(({ operation = "", status = 0 }) => `${operation} ${status}`);
      assert.deepEqual(told, extra);
      assert.equal(local.requests.length, turns + 1 + extra.length);
      const expected = places.map((place) => [`call_series_${place}`, `Seen at {"place":"${place}"}`]);
      assert.deepEqual(resultsIn(local.requests.at(-1)?.body), expected);
    });
});
