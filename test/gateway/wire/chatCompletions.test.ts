import assert from "node:assert/strict";
import type { ChatRequest } from "../../../src/gateway/types.ts";
import { chatBody, fieldsOf } from "../../../src/gateway/wire/requestBodies.ts";
import { ChatReader } from "../../../src/gateway/wire/chatReader.ts";
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
      assert.deepEqual(fieldsOf("chatCompletions", request, new Set(dropped)), used);
    });
  }
});

describe("a chat completion", () => {
  const delta = (fields: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta: fields, finish_reason }],
  });
  const said = (content: string, finish_reason: string | null = null) => delta({ content }, finish_reason);
  const whole = (message: object, more: object = {}) => ({ choices: [{ message, ...more }] });
  const call = (fields: object) => delta({ tool_calls: [fields] });
  const piece = (index: number | undefined, text: unknown, head: object = {}) =>
    call({ ...(index !== undefined && { index }), ...head, function: { ...head, arguments: text } });
  const read = reading(() => new ChatReader());

  const add0 = { id: "c0", name: "add" };
  const mul1 = { id: "c1", name: "mul" };
  const ended = (reason: string) => ({ type: "finish", reason });
  const text = (content: string) => ({ type: "text", text: content });
  const called = (id: string, name: string, input: object) => ({ type: "toolCall", id, name, input });
  const calledTools = ended("toolCalls");
  const addCall = [called("c0", "add", { a: 1 }), calledTools];
  const twoCalls = [called("c0", "add", { a: 1 }), called("c1", "mul", { b: 2 }), calledTools];

  const cases: Readonly<Record<string, readonly [events: readonly object[], parts: readonly object[]]>> = {
    "whole, with text": [
      [{ ...whole({ content: "Hi" }, { finish_reason: "stop" }), usage }],
      [text("Hi"), usagePart, stop],
    ],
    "whole, as the interface shows it": [[whole({ content: "Hi" })], [text("Hi"), stop]],
    "in pieces, usage after the end": [
      [delta({ role: "assistant", content: "" }), said("H"), said("i"), delta({}, "stop"), { choices: [], usage }],
      [text("Hi"), usagePart, stop],
    ],
    "usage in a chunk without choices": [
      [said("H", "stop"), { usage }],
      [text("H"), usagePart, stop],
    ],
    "with usage in its choice": [
      [{ choices: [{ ...said("H", "stop").choices[0], usage }] }],
      [text("H"), usagePart, stop],
    ],
    "cut off by its length": [[said("H", "length")], [text("H"), ended("length")]],
    filtered: [[delta({}, "content_filter")], [ended("contentFilter")]],
    "filtered, in other words": [[delta({}, "SAFETY")], [ended("contentFilter")]],
    "with an end of another name": [[said("H", "eos")], [text("H"), stop]],
    "started over under another id": [
      ["Hello", " wor", "Hello wo", "rld"].map((content, at) => ({ id: at < 2 ? "1" : "2", ...said(content) })),
      [text("Hello world"), stop],
    ],
    "continued under another id": [
      ["He", "ll", "Hey"].map((content, at) => ({ id: at < 2 ? "1" : "2", ...said(content) })),
      [text("HellHey"), stop],
    ],
    "with words that come again, under an id for each chunk": [
      ["the ", "the ", "the "].map((content, id) => ({ id: String(id), ...delta({ role: "assistant", content }) })),
      [text("the the the "), stop],
    ],
    "with reasoning": [
      [delta({ reasoning_content: "hm" }), delta({ reasoning: "so" })],
      [{ type: "reasoning", text: "hmso" }, stop],
    ],
    "with a refusal": [[delta({ refusal: "No." }, "stop")], [text("No."), stop]],
    "with texts of every form": [
      [
        delta({
          content: [
            "a",
            { type: "text", text: "b" },
            { type: "thinking", text: "no" },
            { type: "refusal", refusal: "c" },
          ],
        }),
      ],
      [text("abc"), stop],
    ],
    "with messages in place of deltas": [
      [whole({ content: "H" }), whole({ content: "i" }, { delta: null }), delta({}, "stop")],
      [text("Hi"), stop],
    ],
    "with its text once more at the end": [
      [said("H"), whole({ content: "Hi" }, { finish_reason: "stop" })],
      [text("Hi"), stop],
    ],
    "by the index of its choices": [
      [
        {
          choices: [
            { index: 1, delta: { content: "no" } },
            { index: 0, delta: { content: "H" } },
          ],
        },
      ],
      [text("H"), stop],
    ],
    "of other choices than the first": [
      [{ choices: [null, { delta: { content: "no" } }] }, said("H")],
      [text("H"), stop],
    ],
    "with parallel calls, their pieces mixed": [
      [piece(0, "", add0), piece(1, "", mul1), piece(1, '{"b":'), piece(0, '{"a"'), piece(0, ":1}"), piece(1, "2}")],
      twoCalls,
    ],
    "with calls without index": [
      [
        piece(undefined, '{"a"', add0),
        piece(undefined, ":1}"),
        piece(undefined, '{"b":2}', mul1),
        delta({}, "tool_calls"),
      ],
      twoCalls,
    ],
    "with a call without id or arguments, whole": [
      [whole({ content: null, tool_calls: [{ function: { name: "now" } }] })],
      [called("call_0", "now", {}), calledTools],
    ],
    "that calls a tool and says it stopped": [
      [piece(0, "{}", add0), delta({}, "stop")],
      [called("c0", "add", {}), stop],
    ],
    "with arguments that are an object": [[piece(0, "", add0), piece(0, { a: 1 })], addCall],
    "with arguments encoded twice": [[piece(0, JSON.stringify('{"a":1}'), add0)], addCall],
    "with a single call in place of a list": [
      [delta({ tool_calls: { id: "c0", function: { name: "add", arguments: '{"a":1}' } } })],
      addCall,
    ],
    "with a call in the form that came before tools": [
      [delta({ function_call: { name: "add", arguments: '{"a"' } }), delta({ function_call: { arguments: ":1}" } })],
      [called("call_0", "add", { a: 1 }), calledTools],
    ],
    "with calls that share a place, or have neither place nor id": [
      [
        piece(0, '{"a":1}', add0),
        piece(0, '{"b":2}', mul1),
        ...[3, 4].map((a) => piece(undefined, `{"a":${a}}`, { name: "add" })),
      ],
      [...twoCalls.slice(0, 2), called("call_2", "add", { a: 3 }), called("call_3", "add", { a: 4 }), calledTools],
    ],
    "with calls that come again where it starts over, under other ids": [
      ["1", "1", "2", "2"].map((id, at) => ({
        id,
        ...piece(at % 2, "{}", { id: `${id}${at % 2}`, name: at % 2 === 0 ? "f" : "g" }),
      })),
      [called("20", "f", {}), called("21", "g", {}), calledTools],
    ],
    "with two calls that say the same": [
      [whole({ tool_calls: [{ function: { name: "f" } }, { function: { name: "f" } }] })],
      [called("call_0", "f", {}), called("call_1", "f", {}), calledTools],
    ],
    "cut off inside the arguments of a call": [
      [said("H"), piece(0, '{"a":', add0), delta({}, "length")],
      [text("H"), ended("length")],
    ],
    "cut off before the arguments of a call": [
      [piece(0, "", add0), delta({}, "length"), delta({}, "stop")],
      [ended("length")],
    ],
  };
  for (const [what, [events, parts]] of Object.entries(cases)) {
    it(`is read ${what}`, () => {
      assert.deepEqual(read(events), parts);
    });
  }

  const halfMegabyte = "x".repeat(1 << 19);
  const broken: Readonly<Record<string, readonly [events: readonly object[], message: RegExp]>> = {
    "cut-off arguments": [[piece(0, '{"a":', add0)], /arguments of the tool call add/],
    "arguments that are a list": [[piece(0, "[1]", add0)], /arguments of the tool call add/],
    "arguments that are a text": [[piece(0, '"x"', add0)], /arguments of the tool call add/],
    "arguments that are neither": [[piece(0, [1], add0)], /not a JSON object/],
    "arguments that came twice": [[piece(0, '{"a":1}', add0), piece(0, { a: 2 })], /twice/],
    "arguments without end": [[piece(0, `"${halfMegabyte}${halfMegabyte}"`, add0)], /too long/],
    "arguments of more than 8 MB together": [
      Array.from({ length: 17 }, (_, at) => piece(at >> 1, halfMegabyte, { name: "f" })),
      /too long/,
    ],
    "arguments 200,000 deep": [
      [piece(0, `{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`, add0)],
      /arguments of the tool call add/,
    ],
    "calls without end": [Array.from({ length: 129 }, (_, index) => piece(index, "", { name: "f" })), /too many/],
    "tool calls that are a word": [[delta({ tool_calls: "add" })], /not a list/],
    "a tool call that is a word": [[delta({ tool_calls: ["add"] })], /not an object/],
    "a call without a name": [[piece(0, "{}", { id: "c0" })], /no name/],
    "other words where it starts over": [
      ["Hello dear world, ", "how are you", "Hello dear world, how do"].map((content, at) => ({
        id: at < 2 ? "1" : "2",
        ...said(content),
      })),
      /started the answer over/,
    ],
    "another shape, naming its keys": [[{ id: "1", result: "Hi" }], /: id, result\./],
    "choices that are no list": [[{ choices: {} }], /: choices\./],
  };
  for (const [what, [events, message]] of Object.entries(broken)) {
    it(`is unreadable with ${what}`, () => {
      assert.throws(() => read(events), isUnreadable(message));
    });
  }
});
