import assert from "node:assert/strict";
import type { ChatMessage } from "../../../src/gateway/types.ts";
import { plainMessages, transcript } from "../../../src/gateway/wire/requestBodies.ts";

const conversation: readonly ChatMessage[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Add 1 and 2." },
  { role: "assistant", content: "", toolCalls: [{ id: "c1", name: "add", input: { a: 1, b: 2 } }] },
  { role: "tool", toolCallId: "c1", content: "3" },
  { role: "assistant", content: "It is 3." },
];

describe("a conversation as text", () => {
  it("names the speakers, and includes calls and results", () => {
    assert.equal(
      transcript(conversation),
      [
        "Instructions:\nBe brief.",
        "User:\nAdd 1 and 2.",
        'Assistant:\nTool call c1: add({"a":1,"b":2})',
        "Tool:\nResult of the tool call c1:\n3",
        "Assistant:\nIt is 3.",
      ].join("\n\n"),
    );
  });

  it("has all roles but those of tools if only tools are refused", () => {
    assert.deepEqual(plainMessages(conversation), [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Add 1 and 2." },
      { role: "assistant", content: 'Tool call c1: add({"a":1,"b":2})' },
      { role: "user", content: "Result of the tool call c1:\n3" },
      { role: "assistant", content: "It is 3." },
    ]);
  });
});
