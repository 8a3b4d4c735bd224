import assert from "node:assert/strict";
import type { ChatRequest } from "../../src/gateway/types.ts";
import { countableText } from "../../src/text/tokenCounter.ts";

const tools = [{ name: "look_up", description: "Looks a word up." }];
const request: ChatRequest = {
  model: "gpt-5.4",
  messages: [
    { role: "user", content: "What is a buoy?" },
    { role: "assistant", content: "", toolCalls: [{ id: "call_1", name: "look_up", input: { word: "buoy" } }] },
    { role: "tool", toolCallId: "call_1", content: "It floats." },
  ],
  tools,
};

describe("the text of a request that the gateway counts", () => {
  it("has messages, tool calls and tools", () => {
    assert.equal(
      countableText(request),
      `What is a buoy?\n\nlook_up {"word":"buoy"}\nIt floats.\n${JSON.stringify(tools)}`,
    );
  });

  it("has nothing for tools where none are offered", () => {
    for (const bare of [{ messages: request.messages }, { ...request, tools: [] }]) {
      assert.equal(countableText(bare), 'What is a buoy?\n\nlook_up {"word":"buoy"}\nIt floats.');
    }
  });
});
