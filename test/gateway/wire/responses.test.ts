import assert from "node:assert/strict";
import type { ChatRequest } from "../../../src/gateway/types.ts";
import { responsesBody, fieldsOf } from "../../../src/gateway/wire/requestBodies.ts";
import { ResponsesReader } from "../../../src/gateway/wire/responsesReader.ts";
import { isUnreadable, reading } from "./reading.ts";

const model = "gpt-5.4";
const question = { role: "user", content: "Why?" } as const;
const add = { name: "add", description: "Adds.", inputSchema: { type: "object" } };
const usage = { input_tokens: 2, output_tokens: 3, total_tokens: 5 };
const usagePart = { type: "usage", inputTokens: 2, outputTokens: 3, totalTokens: 5 };
const stop = { type: "finish", reason: "stop" };

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

  it("takes the list for earlier turns, with each call and result once and under its own name", () => {
    const calls = ["c1", "c2"].map((id) => ({ id, name: "add", input: {} }));
    const messages = [
      { role: "system", content: "Be brief." },
      question,
      { role: "assistant", content: "", toolCalls: calls },
      { role: "tool", toolCallId: "c2", content: "2" },
      { role: "tool", toolCallId: "c1", content: "1" },
      { role: "assistant", content: "Both." },
      question,
    ] as const;
    const { input } = responsesBody({ model, messages, tools: [add] }, new Set());
    assert.deepEqual(input, [
      messages[0],
      question,
      { type: "function_call", call_id: "c1", name: "add", arguments: "{}" },
      { type: "function_call", call_id: "c2", name: "add", arguments: "{}" },
      { type: "function_call_output", call_id: "c2", output: "2" },
      { type: "function_call_output", call_id: "c1", output: "1" },
      messages[5],
      question,
    ]);
    const turns = [question, messages[5], question];
    assert.deepEqual(responsesBody({ model, messages: turns }, new Set()).input, turns);
    assert.equal(typeof responsesBody({ model, messages: turns }, new Set(["input"])).input, "string");
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
      assert.deepEqual(fieldsOf("responses", request, new Set(dropped)), used);
    });
  }
});

describe("an answer of the responses operation", () => {
  const read = reading(() => new ResponsesReader());
  const messageOf = (text: string, more: object = {}) => ({
    type: "message",
    content: [{ type: "output_text", text }],
    ...more,
  });
  const message = messageOf("Hi");
  const call = { type: "function_call", id: "fc1", call_id: "c1", name: "add", arguments: '{"a":1}' };
  const second = { ...call, id: "fc2", call_id: "c2" };
  const thoughts = { type: "reasoning", summary: [{ text: "hm" }] };
  const event = (name: string, more: object = {}) => ({ type: `response.${name}`, ...more });
  const completed = (...output: readonly object[]) => event("completed", { response: { output } });
  const piece = (delta: string, more: object = {}) => event("output_text.delta", { delta, ...more });
  const args = (delta: string, more: object = {}) => event("function_call_arguments.delta", { delta, ...more });
  const everyEvent = (name: object = {}) => [
    event("output_text.done", { text: "Hi", ...name }),
    event("content_part.done", { part: { type: "output_text", text: "Hi" }, ...name }),
    event("output_item.done", { item: message, ...name }),
  ];

  const text = (said: string) => ({ type: "text", text: said });
  const hi = text("Hi");
  const cut = { type: "finish", reason: "length" };
  const filtered = { type: "finish", reason: "contentFilter" };
  const calledTools = { type: "finish", reason: "toolCalls" };
  const callPart = { type: "toolCall", id: "c1", name: "add", input: { a: 1 } };
  const hm = { type: "reasoning", text: "hm" };

  const cases: Readonly<Record<string, readonly [events: readonly object[], parts: readonly object[]]>> = {
    whole: [[{ object: "response", output: [message], usage }], [hi, usagePart, stop]],
    "whole, with the shortcut": [[{ output: [], output_text: "Hi" }], [hi, stop]],
    "whole, with calls of the same name": [
      [{ output: [call, second] }],
      [callPart, { ...callPart, id: "c2" }, calledTools],
    ],
    "whole, with reasoning": [[{ output: [thoughts, message] }], [hm, hi, stop]],
    "whole, with a refusal": [[{ output: [{ type: "message", content: [{ refusal: "Hi" }] }] }], [hi, stop]],
    "with one item in place of a list": [[{ output: message }], [hi, stop]],
    "with two equal messages": [[{ output: [message, message] }], [text("HiHi"), stop]],
    "with arguments that are an object": [[{ output: [{ ...call, arguments: { a: 1 } }] }], [callPart, calledTools]],
    "cut off by its length": [
      [piece("Hi"), event("incomplete", { response: { incomplete_details: { reason: "max_output_tokens" } } })],
      [hi, cut],
    ],
    "cut off without a reason": [
      [piece("Hi"), event("incomplete")],
      [hi, cut],
    ],
    "whole but cut off": [[{ status: "incomplete", output: [message] }], [hi, cut]],
    "with an item that is cut off": [[completed({ ...message, status: "incomplete" })], [hi, cut]],
    "cut off inside a call": [
      [{ status: "incomplete", output: [message, { ...call, arguments: '{"a":' }] }],
      [hi, cut],
    ],
    filtered: [[{ output: [message], incomplete_details: { reason: "content_filter" } }], [hi, filtered]],
    "filtered, and failed for it": [
      [
        piece("Hi"),
        event("failed", { response: { status: "failed", incomplete_details: { reason: "content_filter" } } }),
      ],
      [hi, filtered],
    ],
    "in pieces, its text once": [
      [event("created"), piece("H"), piece("i"), event("completed", { response: { output: [message], usage } })],
      [hi, usagePart, stop],
    ],
    "in pieces without any delta": [[completed(message)], [hi, stop]],
    "in pieces, with reasoning": [
      [event("reasoning_summary_text.delta", { delta: "hm" }), piece("Hi"), completed()],
      [hm, hi, stop],
    ],
    "in pieces, its reasoning once although the text is missing": [
      [event("reasoning_summary_text.delta", { delta: "hm" }), completed(thoughts, call)],
      [hm, callPart, calledTools],
    ],
    "with its text in the last of its pieces only": [
      [...everyEvent().slice(0, 1), completed()],
      [hi, stop],
    ],
    "with its text in a part only": [
      [...everyEvent().slice(1, 2), completed()],
      [hi, stop],
    ],
    "with its text in an item only": [
      [...everyEvent().slice(2), completed()],
      [hi, stop],
    ],
    "with its text in every event there is, once": [
      [piece("H"), piece("i"), ...everyEvent(), completed(message)],
      [hi, stop],
    ],
    "with its texts in every event there is, by name, once": [
      [
        piece("A", { item_id: "m1", output_index: 1, content_index: 0 }),
        event("output_text.done", { text: "A", output_index: 1, content_index: 0 }),
        event("output_text.done", { text: "B", output_index: 1, content_index: 1 }),
        event("output_item.done", { item: { type: "message", id: "m1", content: ["A", "B", "C"] }, output_index: 1 }),
        completed({ type: "message", content: ["A", "B", "C"] }, messageOf("D")),
      ],
      [text("ABCD"), stop],
    ],
    "with a second message only at its end": [
      [piece("Hi"), completed(message, messageOf("Ho"))],
      [text("HiHo"), stop],
    ],
    "with the rest of its text only at its end": [
      [piece("H"), completed(message)],
      [hi, stop],
    ],
    "with its last event twice": [
      [completed(message), event("done", { response: { output: [message] } })],
      [hi, stop],
    ],
    "with two equal messages in every event there is": [
      [
        ...[0, 1].flatMap((place) => everyEvent({ output_index: place, item_id: `m${place}` })),
        completed(message, message),
      ],
      [text("HiHi"), stop],
    ],
    "with two equal messages without names": [
      [...everyEvent(), ...everyEvent(), completed(message, message)],
      [text("HiHi"), stop],
    ],
    "with an id of its own in each event": [
      [
        piece("H", { item_id: "1", output_index: 0 }),
        piece("i", { item_id: "2", output_index: 0 }),
        event("output_text.done", { text: "Hi", item_id: "3", output_index: 0 }),
        event("output_item.done", { item: { ...message, id: "4" }, output_index: 0 }),
        completed({ ...message, id: "5" }),
      ],
      [hi, stop],
    ],
    "with messages that come at the same time": [
      [
        ...["A", "B", "C"].map((delta, at) => piece(delta, { output_index: at % 2 })),
        event("output_text.done", { text: "AC", output_index: 0 }),
        event("output_text.done", { text: "B", output_index: 1 }),
        completed(messageOf("AC"), messageOf("B")),
      ],
      [text("ABC"), stop],
    ],
    "started over with another response": [
      ["r1", "r2"].flatMap((id, at) => [event("created", { response: { id } }), piece(at === 0 ? "H" : "Hi")]),
      [hi, stop],
    ],
    "with a call in pieces": [
      [
        event("output_item.added", { output_index: 0, item: { ...call, arguments: "" } }),
        ...['{"a"', ":1}"].map((delta) => args(delta, { item_id: "fc1", output_index: 0 })),
        completed(),
      ],
      [callPart, calledTools],
    ],
    "with a call in pieces, whole and at the end, once": [
      [
        event("output_item.added", { output_index: 1, item: { ...call, arguments: "" } }),
        args('{"a":1}', { item_id: "fc1" }),
        event("function_call_arguments.done", { output_index: 1, arguments: '{"a":1}' }),
        event("output_item.done", { item: call }),
        completed(call, second),
      ],
      [callPart, { ...callPart, id: "c2" }, calledTools],
    ],
  };
  for (const [what, [events, parts]] of Object.entries(cases)) {
    it(`is read ${what}`, () => {
      assert.deepEqual(read(events), parts);
    });
  }

  const broken: Readonly<Record<string, readonly [events: readonly object[], message: RegExp]>> = {
    "another shape, naming its keys": [[{ id: "1", result: "Hi" }], /: id, result\./],
    "a status that nobody knows": [[{ status: "expired", output: [message] }], /nobody knows/],
    "a response in progress": [[{ status: "in_progress", output: [message] }], /not finished/],
    "a response in the queue": [[{ status: "queued", output: [] }], /not finished/],
    "a stream that was cancelled": [[piece("Hi"), event("cancelled")], /not finished/],
    "a call whose arguments never come": [
      [event("output_item.added", { item: { ...call, arguments: "" } }), completed()],
      /arguments of the tool call add/,
    ],
    "broken arguments": [[completed({ ...call, arguments: '{"a":' })], /arguments of the tool call add/],
    "a call without a name": [[{ output: [{ ...call, name: "" }] }], /no name/],
    "texts without end": [
      [...Array(1_001).keys()].map((place) => piece("x", { output_index: place })),
      /too many texts/,
    ],
  };
  for (const [what, [events, expected]] of Object.entries(broken)) {
    it(`is unreadable with ${what}`, () => {
      assert.throws(() => read(events), isUnreadable(expected));
    });
  }

  it("is told by the names of its events where its data have no type", () => {
    const reader = new ResponsesReader();
    reader.read({ delta: "Hi" }, "response.output_text.delta");
    reader.read({ response: {} }, "response.completed");
    assert.deepEqual([...reader.take(), ...reader.end()], [hi, stop]);
  });

  it("has failed where it says so, with details or without", () => {
    for (const failure of [event("failed"), { status: "failed", output: [message] }]) {
      assert.throws(() => read([piece("Hi"), failure]), { kind: "serverError" });
    }
  });
});
