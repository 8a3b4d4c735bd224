import assert from "node:assert/strict";
import type { ChatRequest } from "../../../src/gateway/types.ts";
import { chatBody, chatFieldsOf, chatReader } from "../../../src/gateway/wire/chatCompletions.ts";
import { asArray, asObject } from "../../../src/gateway/wire/json.ts";
import { isUnreadable, reading } from "./reading.ts";

const model = "gpt-5.4";
const question = { role: "user", content: "Why?" } as const;
const add = {
  name: "add",
  description: "Adds.",
  inputSchema: { type: "object", properties: { a: { type: "number" } } },
};
const wireAdd = { type: "function", function: { name: "add", description: "Adds.", parameters: add.inputSchema } };
const usage = { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 };
const usagePart = { type: "usage", inputTokens: 2, outputTokens: 3, totalTokens: 5 };
const stop = { type: "finish", reason: "stop" };

const toolRequest: ChatRequest = {
  model,
  messages: [
    { role: "system", content: "Be brief." },
    question,
    { role: "assistant", content: "", toolCalls: [{ id: "c1", name: "add", input: { a: 1 } }] },
    { role: "tool", toolCallId: "c1", content: "1" },
  ],
  tools: [add],
  toolChoice: "required",
};

describe("the body of a chat completion", () => {
  it("carries only what the interface shows once everything else is dropped", () => {
    const dropped = new Set(["stream_options", "tools", "stream", "messages"]);
    assert.deepEqual(chatBody({ model, messages: [question] }, dropped), { model, messages: [question] });
    const { messages, ...rest } = chatBody(toolRequest, dropped);
    assert.deepEqual(rest, { model });
    const [message, ...others] = asArray(messages);
    assert.deepEqual([Object.keys(asObject(message) ?? {}), others], [["role", "content"], []]);
  });

  it("asks for a stream with usage, offers tools, carries calls and results", () => {
    const calls = [{ id: "c1", type: "function", function: { name: "add", arguments: '{"a":1}' } }];
    assert.deepEqual(chatBody(toolRequest, new Set()), {
      model,
      messages: [
        { role: "system", content: "Be brief." },
        question,
        { role: "assistant", content: "", tool_calls: calls },
        { role: "tool", tool_call_id: "c1", content: "1" },
      ],
      tools: [wireAdd],
      tool_choice: "required",
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it("gives a tool without a schema one without properties", () => {
    const body = chatBody({ model, messages: [], tools: [{ name: "now", description: "" }] }, new Set());
    assert.deepEqual(body.tools, [
      {
        type: "function",
        function: { name: "now", description: "", parameters: { type: "object", properties: {} } },
      },
    ]);
  });

  const fields = [
    ["one question", { model, messages: [question] }, [], ["stream_options", "stream"]],
    ["a question without a stream", { model, messages: [question] }, ["stream"], []],
    ["tools and roles", toolRequest, [], ["stream_options", "tool_choice", "tools", "stream", "messages"]],
    ["tools the model is free to use", toolRequest, ["tool_choice", "stream"], ["tools", "messages"]],
    ["tools and roles without tools", toolRequest, ["tools"], ["stream_options", "stream", "messages"]],
    ["tools and roles as one message", toolRequest, ["tools", "messages"], ["stream_options", "stream"]],
  ] as const;
  for (const [what, request, dropped, used] of fields) {
    it(`uses ${used.join(", ") || "nothing undocumented"} for ${what}`, () => {
      assert.deepEqual(chatFieldsOf(request, new Set(dropped)), used);
    });
  }
});

describe("a chat completion", () => {
  const delta = (fields: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta: fields, finish_reason }],
  });
  const call = (fields: object) => delta({ tool_calls: [fields] });
  const piece = (index: number | undefined, text: string, head: object = {}) =>
    call({ ...(index !== undefined && { index }), ...head, function: { ...head, arguments: text } });
  const read = reading(chatReader);

  const cases: readonly (readonly [string, readonly object[], readonly object[]])[] = [
    [
      "whole, with text",
      [{ choices: [{ message: { content: "Hi" }, finish_reason: "stop" }], usage }],
      [{ type: "text", text: "Hi" }, usagePart, stop],
    ],
    [
      "whole, as the interface shows it",
      [{ choices: [{ message: { content: "Hi" } }] }],
      [{ type: "text", text: "Hi" }, stop],
    ],
    [
      "in pieces, usage after the end",
      [
        delta({ role: "assistant", content: "" }),
        delta({ content: "H" }),
        delta({ content: "i" }),
        delta({}, "stop"),
        { choices: [], usage },
      ],
      [{ type: "text", text: "H" }, { type: "text", text: "i" }, usagePart, stop],
    ],
    [
      "usage in a chunk without choices",
      [delta({ content: "H" }, "stop"), { usage }],
      [{ type: "text", text: "H" }, usagePart, stop],
    ],
    [
      "cut off by its length",
      [delta({ content: "H" }, "length")],
      [
        { type: "text", text: "H" },
        { type: "finish", reason: "length" },
      ],
    ],
    ["filtered", [delta({}, "content_filter")], [{ type: "finish", reason: "contentFilter" }]],
    ["with an unknown end", [delta({ content: "H" }, "eos")], [{ type: "text", text: "H" }, stop]],
    [
      "with reasoning",
      [delta({ reasoning_content: "hm" }), delta({ reasoning: "so" })],
      [{ type: "reasoning", text: "hm" }, { type: "reasoning", text: "so" }, stop],
    ],
    ["with a refusal", [delta({ refusal: "No." }, "stop")], [{ type: "text", text: "No." }, stop]],
    [
      "with parallel calls, their pieces mixed",
      [
        piece(0, "", { id: "c0", name: "add" }),
        piece(1, "", { id: "c1", name: "mul" }),
        piece(1, '{"b":'),
        piece(0, '{"a"'),
        piece(0, ":1}"),
        piece(1, "2}"),
        delta({}, "tool_calls"),
      ],
      [
        { type: "toolCall", id: "c0", name: "add", input: { a: 1 } },
        { type: "toolCall", id: "c1", name: "mul", input: { b: 2 } },
        { type: "finish", reason: "toolCalls" },
      ],
    ],
    [
      "with calls without index",
      [
        piece(undefined, '{"a"', { id: "c0", name: "add" }),
        piece(undefined, ":1}"),
        piece(undefined, '{"b":2}', { id: "c1", name: "mul" }),
        delta({}, "tool_calls"),
      ],
      [
        { type: "toolCall", id: "c0", name: "add", input: { a: 1 } },
        { type: "toolCall", id: "c1", name: "mul", input: { b: 2 } },
        { type: "finish", reason: "toolCalls" },
      ],
    ],
    [
      "with a call without id or arguments, whole",
      [{ choices: [{ message: { content: null, tool_calls: [{ function: { name: "now" } }] } }] }],
      [
        { type: "toolCall", id: "call_0", name: "now", input: {} },
        { type: "finish", reason: "toolCalls" },
      ],
    ],
    [
      "that calls a tool and says it stopped",
      [piece(0, "{}", { id: "c0", name: "now" }), delta({}, "stop")],
      [{ type: "toolCall", id: "c0", name: "now", input: {} }, stop],
    ],
    [
      "of other choices than the first",
      [{ choices: [null, { delta: { content: "no" } }] }, delta({ content: "H" }, "stop")],
      [{ type: "text", text: "H" }, stop],
    ],
  ];
  for (const [what, events, parts] of cases) {
    it(`is read ${what}`, () => {
      assert.deepEqual(read(events), parts);
    });
  }

  const broken = [
    ["cut-off arguments", [piece(0, '{"a":', { id: "c0", name: "add" })], /arguments of the tool call add/],
    ["arguments that are a list", [piece(0, "[1]", { id: "c0", name: "add" })], /arguments of the tool call add/],
    ["arguments that are a text", [piece(0, '"x"', { id: "c0", name: "add" })], /arguments of the tool call add/],
    ["a call without a name", [piece(0, "{}", { id: "c0" })], /no name/],
    ["another shape, naming its keys", [{ id: "1", result: "Hi" }], /: id, result\./],
    ["choices that are no list", [{ choices: {} }], /: choices\./],
  ] as const;
  for (const [what, events, message] of broken) {
    it(`is unreadable with ${what}`, () => {
      assert.throws(() => read(events), isUnreadable(message));
    });
  }

  it("is finished from its finish reason on", () => {
    const reader = chatReader();
    reader.read(delta({ content: "H" }));
    assert.equal(reader.isFinished, false);
    reader.read(delta({}, "stop"));
    assert.equal(reader.isFinished, true);
  });
});
