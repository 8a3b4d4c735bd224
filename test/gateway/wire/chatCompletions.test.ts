import assert from "node:assert/strict";
import type { ChatRequest } from "../../../src/gateway/types.ts";
import { chatBody, chatFieldsOf } from "../../../src/gateway/wire/chatCompletions.ts";
import { chatReader } from "../../../src/gateway/wire/chatReader.ts";
import { asArray, asObject } from "../../../src/text/json.ts";
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

  it("names a reasoning effort where one is chosen, and none once it is dropped", () => {
    const request = { model, messages: [question], reasoningEffort: "high" } as const;
    assert.equal(chatBody(request, new Set()).reasoning_effort, "high");
    assert.deepEqual(chatFieldsOf(request, new Set()), ["reasoning_effort", "stream_options", "stream"]);
    assert.ok(!("reasoning_effort" in chatBody(request, new Set(["reasoning_effort"]))));
    assert.deepEqual(Object.keys(chatBody({ model, messages: [question] }, new Set(["stream"]))), [
      "model",
      "messages",
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

  const calledTools = { type: "finish", reason: "toolCalls" };
  const addCall = [{ type: "toolCall", id: "c0", name: "add", input: { a: 1 } }, calledTools];

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
    ["with an end of another name", [delta({ content: "H" }, "eos")], [{ type: "text", text: "H" }, stop]],
    ["filtered, in other words", [delta({}, "SAFETY")], [{ type: "finish", reason: "contentFilter" }]],
    [
      "started over under another id",
      [
        { id: "1", ...delta({ content: "Hello" }) },
        { id: "1", ...delta({ content: " wor" }) },
        { id: "2", ...delta({ content: "Hello wo" }) },
        { id: "2", ...delta({ content: "rld" }, "stop") },
      ],
      [...["Hello", " wor", "ld"].map((text) => ({ type: "text", text })), stop],
    ],
    [
      "continued under another id",
      [
        { id: "1", ...delta({ content: "He" }) },
        { id: "1", ...delta({ content: "ll" }) },
        { id: "2", ...delta({ content: "Hey" }, "stop") },
      ],
      [{ type: "text", text: "He" }, { type: "text", text: "ll" }, { type: "text", text: "Hey" }, stop],
    ],
    [
      "with words that come again, under an id for each chunk",
      ["the ", "the ", "the "].map((content, id) => ({ id: String(id), ...delta({ role: "assistant", content }) })),
      [{ type: "text", text: "the " }, { type: "text", text: "the " }, { type: "text", text: "the " }, stop],
    ],
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
      "with arguments that are an object",
      [piece(0, "", { id: "c0", name: "add" }), call({ index: 0, function: { arguments: { a: 1 } } })],
      addCall,
    ],
    ["with arguments encoded twice", [piece(0, JSON.stringify('{"a":1}'), { id: "c0", name: "add" })], addCall],
    [
      "with a single call in place of a list",
      [delta({ tool_calls: { id: "c0", function: { name: "add", arguments: '{"a":1}' } } })],
      addCall,
    ],
    [
      "with a call in the form that came before tools",
      [
        delta({ function_call: { name: "add", arguments: '{"a"' } }),
        delta({ function_call: { arguments: ":1}" } }, "function_call"),
      ],
      [{ type: "toolCall", id: "call_0", name: "add", input: { a: 1 } }, calledTools],
    ],
    [
      "with calls that share a place, or have neither place nor id",
      [
        piece(0, '{"a":1}', { id: "c0", name: "add" }),
        piece(0, '{"b":2}', { id: "c1", name: "mul" }),
        piece(undefined, '{"a":3}', { name: "add" }),
        piece(undefined, '{"a":4}', { name: "add" }),
      ],
      [
        { type: "toolCall", id: "c0", name: "add", input: { a: 1 } },
        { type: "toolCall", id: "c1", name: "mul", input: { b: 2 } },
        { type: "toolCall", id: "call_2", name: "add", input: { a: 3 } },
        { type: "toolCall", id: "call_3", name: "add", input: { a: 4 } },
        calledTools,
      ],
    ],
    [
      "cut off inside the arguments of a call",
      [delta({ content: "H" }), piece(0, '{"a":', { id: "c0", name: "add" }), delta({}, "length")],
      [
        { type: "text", text: "H" },
        { type: "finish", reason: "length" },
      ],
    ],
    [
      "cut off before the arguments of a call",
      [piece(0, "", { id: "c0", name: "add" }), delta({}, "length"), delta({}, "stop")],
      [{ type: "finish", reason: "length" }],
    ],
    [
      "with messages in place of deltas",
      [
        { choices: [{ message: { content: "H" } }] },
        { choices: [{ delta: null, message: { content: "i" } }] },
        delta({}, "stop"),
      ],
      [{ type: "text", text: "H" }, { type: "text", text: "i" }, stop],
    ],
    [
      "with its text once more at the end",
      [delta({ content: "H" }), { choices: [{ message: { content: "Hi" }, finish_reason: "stop" }] }],
      [{ type: "text", text: "H" }, { type: "text", text: "i" }, stop],
    ],
    [
      "with usage in its choice",
      [{ choices: [{ delta: { content: "H" }, finish_reason: "stop", usage }] }],
      [{ type: "text", text: "H" }, usagePart, stop],
    ],
    [
      "by the index of its choices",
      [
        {
          choices: [
            { index: 1, delta: { content: "no" } },
            { index: 0, delta: { content: "H" }, finish_reason: "stop" },
          ],
        },
      ],
      [{ type: "text", text: "H" }, stop],
    ],
    [
      "with texts of every form",
      [
        delta(
          {
            content: [
              "a",
              { type: "text", text: "b" },
              { type: "thinking", text: "no" },
              { type: "refusal", refusal: "c" },
            ],
          },
          "stop",
        ),
      ],
      [{ type: "text", text: "abc" }, stop],
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
    [
      "arguments that are neither",
      [call({ index: 0, id: "c0", function: { name: "add", arguments: [1] } })],
      /not a JSON object/,
    ],
    [
      "arguments that came twice",
      [piece(0, '{"a":1}', { id: "c0", name: "add" }), call({ index: 0, function: { arguments: { a: 2 } } })],
      /twice/,
    ],
    ["arguments without end", [piece(0, `"${"x".repeat(1 << 20)}"`, { id: "c0", name: "add" })], /too long/],
    [
      "arguments 200,000 deep",
      [piece(0, `{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`, { id: "c0", name: "add" })],
      /arguments of the tool call add/,
    ],
    [
      "calls without end",
      [delta({ tool_calls: Array.from({ length: 129 }, (_, index) => ({ index, function: { name: "f" } })) })],
      /too many/,
    ],
    ["tool calls that are a word", [delta({ tool_calls: "add" })], /not a list/],
    ["a tool call that is a word", [delta({ tool_calls: ["add"] })], /not an object/],
    ["a call without a name", [piece(0, "{}", { id: "c0" })], /no name/],
    [
      "other words where it starts over",
      [
        { id: "1", ...delta({ content: "Hello dear world, " }) },
        { id: "1", ...delta({ content: "how are you" }) },
        { id: "2", ...delta({ content: "Hello dear world, how do you do" }, "stop") },
      ],
      /started the answer over/,
    ],
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
    assert.equal(reader.ending.isFinished, false);
    reader.read(delta({}, "stop"));
    assert.equal(reader.ending.isFinished, true);
  });
});
