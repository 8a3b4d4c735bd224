import assert from "node:assert/strict";
import type { ChatRequest } from "../../../src/gateway/types.ts";
import { responsesBody, responsesFieldsOf, responsesReader } from "../../../src/gateway/wire/responses.ts";
import { isUnreadable, reading } from "./reading.ts";

const model = "gpt-5.4";
const question = { role: "user", content: "Why?" } as const;
const add = { name: "add", description: "Adds.", inputSchema: { type: "object" } };
const usage = { input_tokens: 2, output_tokens: 3, total_tokens: 5 };
const usagePart = { type: "usage", inputTokens: 2, outputTokens: 3, totalTokens: 5 };
const stop = { type: "finish", reason: "stop" };
const hi = { type: "text", text: "Hi" };

const withResult: ChatRequest = {
  model,
  messages: [
    question,
    { role: "assistant", content: "Wait.", toolCalls: [{ id: "c1", name: "add", input: { a: 1 } }] },
    { role: "tool", toolCallId: "c1", content: "1" },
  ],
  tools: [add],
};

describe("the body of a responses request", () => {
  it("carries only what the interface shows once everything else is dropped", () => {
    const dropped = new Set(["tools", "stream", "input"]);
    assert.deepEqual(responsesBody({ model, messages: [question] }, dropped), { model, input: "Why?" });
    const body = responsesBody(withResult, dropped);
    assert.deepEqual(Object.keys(body), ["model", "input"]);
    assert.equal(typeof body.input, "string");
  });

  it("keeps the documented string as long as no tool result must be carried", () => {
    const messages = [{ role: "system", content: "Be brief." } as const, question];
    assert.deepEqual(responsesBody({ model, messages, tools: [add], toolChoice: "required" }, new Set()), {
      model,
      input: "Instructions:\nBe brief.\n\nUser:\nWhy?",
      tools: [{ type: "function", name: "add", description: "Adds.", parameters: { type: "object" } }],
      tool_choice: "required",
      stream: true,
    });
  });

  it("takes the list for tool results", () => {
    assert.deepEqual(responsesBody(withResult, new Set()).input, [
      question,
      { role: "assistant", content: "Wait." },
      { type: "function_call", call_id: "c1", name: "add", arguments: '{"a":1}' },
      { type: "function_call_output", call_id: "c1", output: "1" },
    ]);
  });

  const fields = [
    ["one question", { model, messages: [question] }, [], ["stream"]],
    ["a tool result", withResult, [], ["tools", "stream", "input"]],
    ["a tool result without the list", withResult, ["input"], ["tools", "stream"]],
    ["a tool result without tools", withResult, ["tools"], ["stream"]],
    ["one question without a stream", { model, messages: [question] }, ["stream"], []],
  ] as const;
  for (const [what, request, dropped, used] of fields) {
    it(`uses ${used.join(", ") || "nothing undocumented"} for ${what}`, () => {
      assert.deepEqual(responsesFieldsOf(request, new Set(dropped)), used);
    });
  }
});

describe("an answer of the responses operation", () => {
  const read = reading(responsesReader);
  const message = { type: "message", content: [{ type: "output_text", text: "Hi" }] };
  const call = { type: "function_call", id: "fc1", call_id: "c1", name: "add", arguments: '{"a":1}' };
  const callPart = { type: "toolCall", id: "c1", name: "add", input: { a: 1 } };
  const completed = (response: object) => ({ type: "response.completed", response });
  const text = (delta: string) => ({ type: "response.output_text.delta", delta });

  const cases: readonly (readonly [string, readonly object[], readonly object[]])[] = [
    ["whole", [{ object: "response", output: [message], usage }], [hi, usagePart, stop]],
    ["whole, with the shortcut", [{ output_text: "Hi" }], [hi, stop]],
    ["whole, with an empty output and the shortcut", [{ output: [], output_text: "Hi" }], [hi, stop]],
    ["whole, with a call", [{ output: [call] }], [callPart, { type: "finish", reason: "toolCalls" }]],
    [
      "whole, with reasoning",
      [{ output: [{ type: "reasoning", summary: [{ text: "hm" }] }, message] }],
      [{ type: "reasoning", text: "hm" }, hi, stop],
    ],
    [
      "whole, with a refusal",
      [{ output: [{ type: "message", content: [{ refusal: "No." }] }] }],
      [{ type: "text", text: "No." }, stop],
    ],
    [
      "cut off by its length",
      [text("Hi"), { type: "response.incomplete", response: { incomplete_details: { reason: "max_output_tokens" } } }],
      [hi, { type: "finish", reason: "length" }],
    ],
    [
      "filtered",
      [{ output: [message], incomplete_details: { reason: "content_filter" } }],
      [hi, { type: "finish", reason: "contentFilter" }],
    ],
    [
      "in pieces, its text once",
      [{ type: "response.created" }, text("H"), text("i"), completed({ output: [message], usage })],
      [{ type: "text", text: "H" }, { type: "text", text: "i" }, usagePart, stop],
    ],
    ["in pieces without any delta", [completed({ output: [message] })], [hi, stop]],
    [
      "in pieces, with reasoning",
      [{ type: "response.reasoning_summary_text.delta", delta: "hm" }, text("Hi"), completed({})],
      [{ type: "reasoning", text: "hm" }, hi, stop],
    ],
    [
      "in pieces, its reasoning once although the text is missing",
      [
        { type: "response.reasoning_summary_text.delta", delta: "hm" },
        completed({ output: [{ type: "reasoning", summary: [{ text: "hm" }] }, call] }),
      ],
      [{ type: "reasoning", text: "hm" }, callPart, { type: "finish", reason: "toolCalls" }],
    ],
    [
      "in pieces, with a call, once",
      [{ type: "response.output_item.done", item: call }, completed({ output: [call] })],
      [callPart, { type: "finish", reason: "toolCalls" }],
    ],
    [
      "with parallel calls of the same name",
      [completed({ output: [call, { ...call, id: "fc2", call_id: "c2" }] })],
      [callPart, { ...callPart, id: "c2" }, { type: "finish", reason: "toolCalls" }],
    ],
  ];
  for (const [what, events, parts] of cases) {
    it(`is read ${what}`, () => {
      assert.deepEqual(read(events), parts);
    });
  }

  const broken = [
    ["another shape, naming its keys", [{ id: "1", result: "Hi" }], /: id, result\./],
    ["broken arguments", [completed({ output: [{ ...call, arguments: '{"a":' }] })], /arguments of the tool call add/],
    ["a call without a name", [{ output: [{ ...call, name: "" }] }], /no name/],
  ] as const;
  for (const [what, events, expected] of broken) {
    it(`is unreadable with ${what}`, () => {
      assert.throws(() => read(events), isUnreadable(expected));
    });
  }
});
