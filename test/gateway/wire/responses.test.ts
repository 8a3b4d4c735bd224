import assert from "node:assert/strict";
import type { ChatRequest } from "../../../src/gateway/types.ts";
import { responsesBody, responsesFieldsOf } from "../../../src/gateway/wire/responses.ts";
import { responsesReader } from "../../../src/gateway/wire/responsesReader.ts";
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

  it("names a reasoning effort where one is chosen, and none once it is dropped", () => {
    const request = { model, messages: [question], reasoningEffort: "xhigh" } as const;
    assert.deepEqual(responsesBody(request, new Set()).reasoning, { effort: "xhigh" });
    assert.deepEqual(responsesFieldsOf(request, new Set()), ["reasoning_effort", "stream"]);
    assert.deepEqual(responsesFieldsOf(request, new Set(["reasoning_effort"])), ["stream"]);
    assert.deepEqual(responsesBody(request, new Set(["reasoning_effort", "stream"])), { model, input: "Why?" });
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

  const cut = { type: "finish", reason: "length" };
  const everyEvent = (name: object) => [
    { type: "response.output_text.done", text: "Hi", ...name },
    { type: "response.content_part.done", part: { type: "output_text", text: "Hi" }, ...name },
    { type: "response.output_item.done", item: message, ...name },
  ];

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
      "with its text in the last of its pieces only",
      [{ type: "response.output_text.done", text: "Hi" }, completed({})],
      [hi, stop],
    ],
    [
      "with its text in a part only",
      [{ type: "response.content_part.done", part: { type: "output_text", text: "Hi" } }, completed({})],
      [hi, stop],
    ],
    [
      "with its text in an item only",
      [{ type: "response.output_item.done", item: message }, completed({})],
      [hi, stop],
    ],
    [
      "with its text in every event there is, once",
      [text("H"), text("i"), ...everyEvent({}), completed({ output: [message] })],
      [{ type: "text", text: "H" }, { type: "text", text: "i" }, stop],
    ],
    [
      "with its text in every event there is, by name, once",
      [
        { ...text("Hi"), item_id: "m1", output_index: 1, content_index: 0 },
        ...everyEvent({ item_id: "m1", output_index: 1, content_index: 0 }),
        completed({
          output: [
            { ...message, id: "m1" },
            { ...message, id: "m2", content: [{ type: "output_text", text: "Ho" }] },
          ],
        }),
      ],
      [hi, { type: "text", text: "Ho" }, stop],
    ],
    [
      "with a second message only at its end",
      [text("H"), text("i"), completed({ output: [message, { ...message, content: "Ho" }] })],
      [{ type: "text", text: "H" }, { type: "text", text: "i" }, { type: "text", text: "Ho" }, stop],
    ],
    [
      "with the rest of its text only at its end",
      [text("H"), completed({ output: [message] })],
      [{ type: "text", text: "H" }, { type: "text", text: "i" }, stop],
    ],
    ["with two equal messages", [{ output: [message, message] }], [{ type: "text", text: "HiHi" }, stop]],
    [
      "with two equal messages in every event there is",
      [
        ...[0, 1].flatMap((output_index) => everyEvent({ output_index, item_id: `m${output_index}` })),
        completed({ output: [message, message] }),
      ],
      [hi, hi, stop],
    ],
    [
      "with two equal messages without names",
      [...everyEvent({}), ...everyEvent({}), completed({ output: [message, message] })],
      [hi, hi, stop],
    ],
    [
      "with an id of its own in each event",
      [
        { ...text("H"), item_id: "1", output_index: 0 },
        { ...text("i"), item_id: "2", output_index: 0 },
        { type: "response.output_text.done", text: "Hi", item_id: "3", output_index: 0 },
        { type: "response.output_item.done", item: { ...message, id: "4" }, output_index: 0 },
        completed({ output: [{ ...message, id: "5" }] }),
      ],
      [{ type: "text", text: "H" }, { type: "text", text: "i" }, stop],
    ],
    [
      "with messages that come at the same time",
      [
        { ...text("A"), output_index: 0 },
        { ...text("B"), output_index: 1 },
        { ...text("C"), output_index: 0 },
        { type: "response.output_text.done", text: "AC", output_index: 0 },
        { type: "response.output_text.done", text: "B", output_index: 1 },
        completed({
          output: [
            { ...message, content: "AC" },
            { ...message, content: "B" },
          ],
        }),
      ],
      [...["A", "B", "C"].map((text) => ({ type: "text", text })), stop],
    ],
    [
      "started over with another response",
      [
        { type: "response.created", response: { id: "r1" } },
        text("H"),
        { type: "response.created", response: { id: "r2" } },
        text("Hi"),
        completed({ output: [message] }),
      ],
      [{ type: "text", text: "H" }, { type: "text", text: "i" }, stop],
    ],
    [
      "filtered, and failed for it",
      [
        text("Hi"),
        { type: "response.failed", response: { status: "failed", incomplete_details: { reason: "content_filter" } } },
      ],
      [hi, { type: "finish", reason: "contentFilter" }],
    ],
    ["cut off without a reason", [text("Hi"), { type: "response.incomplete" }], [hi, cut]],
    ["whole but cut off", [{ status: "incomplete", output: [message] }], [hi, cut]],
    ["with an item that is cut off", [completed({ output: [{ ...message, status: "incomplete" }] })], [hi, cut]],
    [
      "cut off inside a call",
      [{ status: "incomplete", output: [message, { ...call, arguments: '{"a":' }] }],
      [hi, cut],
    ],
    [
      "with a call in pieces",
      [
        { type: "response.output_item.added", output_index: 0, item: { ...call, arguments: "" } },
        { type: "response.function_call_arguments.delta", item_id: "fc1", output_index: 0, delta: '{"a"' },
        { type: "response.function_call_arguments.delta", item_id: "fc1", output_index: 0, delta: ":1}" },
        completed({}),
      ],
      [callPart, { type: "finish", reason: "toolCalls" }],
    ],
    [
      "with a call in pieces, whole and at the end, once",
      [
        { type: "response.output_item.added", output_index: 1, item: { ...call, arguments: "" } },
        { type: "response.function_call_arguments.delta", item_id: "fc1", delta: '{"a":1}' },
        { type: "response.function_call_arguments.done", output_index: 1, arguments: '{"a":1}' },
        { type: "response.output_item.done", item: call },
        completed({ output: [call, { ...call, id: "fc2", call_id: "c2" }] }),
      ],
      [callPart, { ...callPart, id: "c2" }, { type: "finish", reason: "toolCalls" }],
    ],
    [
      "with arguments that are an object",
      [{ output: [{ ...call, arguments: { a: 1 } }] }],
      [callPart, { type: "finish", reason: "toolCalls" }],
    ],
    ["with one item in place of a list", [{ output: message }], [hi, stop]],
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
    ["a status that nobody knows", [{ status: "expired", output: [message] }], /nobody knows/],
    ["a response in progress", [{ status: "in_progress", output: [message] }], /not finished/],
    ["a response in the queue", [{ status: "queued", output: [] }], /not finished/],
    ["a response that was cancelled", [{ status: "cancelled", output: [message] }], /not finished/],
    ["a stream that was cancelled", [text("Hi"), { type: "response.cancelled" }], /not finished/],
    [
      "a call whose arguments never come",
      [{ type: "response.output_item.added", item: { ...call, arguments: "" } }, completed({})],
      /arguments of the tool call add/,
    ],
    ["broken arguments", [completed({ output: [{ ...call, arguments: '{"a":' }] })], /arguments of the tool call add/],
    ["a call without a name", [{ output: [{ ...call, name: "" }] }], /no name/],
  ] as const;
  for (const [what, events, expected] of broken) {
    it(`is unreadable with ${what}`, () => {
      assert.throws(() => read(events), isUnreadable(expected));
    });
  }

  it("is told by the names of its events where its data have no type", () => {
    const reader = responsesReader();
    const parts = [
      ...reader.read({ delta: "Hi" }, "response.output_text.delta"),
      ...reader.read({ response: {} }, "response.completed"),
      ...reader.end(),
    ];
    assert.deepEqual(parts, [hi, stop]);
  });

  it("has failed where it says so, with details or without", () => {
    for (const event of [
      { type: "response.failed" },
      { status: "failed", output: [message] },
      completed({ status: "failed" }),
    ]) {
      assert.throws(() => read([text("Hi"), event]), { kind: "serverError" });
    }
  });
});
