import assert from "node:assert/strict";
import type { JsonObject } from "../../../src/base/json.ts";
import type { ChatMessage, ChatRequest } from "../../../src/gateway/types.ts";
import { responsesBody, fieldsOf } from "../../../src/gateway/wire/requestBodies.ts";
import { ResponsesReader } from "../../../src/gateway/wire/responsesReader.ts";
import { processorTime } from "../../support/assertLinear.ts";
import { each } from "../../support/each.ts";
import { readerTests } from "./readerTests.ts";

const model = "gpt-5.4";
const question = { role: "user", content: "Why?" } as const;
const add = { name: "add", description: "Adds.", inputSchema: { type: "object" } };
const usage = { input_tokens: 2, output_tokens: 3, total_tokens: 5 };
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
      tools: [
        {
          ...{ type: "function", name: "add", description: "Adds.", strict: false },
          parameters: { type: "object", properties: {} },
        },
      ],
      tool_choice: "required",
      stream: true,
      store: false,
      include: ["reasoning.encrypted_content"],
    });
  });

  it("leaves out a tool's field that is refused, and keeps the tool", () => {
    const { name, description } = add;
    const { tools } = responsesBody(withResult, new Set(["strict"]));
    assert.deepEqual(tools, [{ type: "function", name, description, parameters: { type: "object", properties: {} } }]);
  });

  it("begins with the list if the requests of a conversation are to begin alike", () => {
    const messages = [{ role: "system", content: "Be brief." } as const, question];
    assert.deepEqual(responsesBody({ model, messages, conversation: "a" }, new Set()).input, messages);
    assert.equal(responsesBody({ model, messages: [question], conversation: "a" }, new Set()).input, question.content);
  });

  it("takes the list for tool results", () => {
    assert.deepEqual(responsesBody(withResult, new Set()).input, [
      question,
      { role: "assistant", content: "Wait." },
      { type: "function_call", call_id: "c1", name: "add", arguments: '{"a":1}' },
      { type: "function_call_output", call_id: "c1", output: "1" },
    ]);
  });

  it("takes the list for earlier turns, unless that is refused", () => {
    const messages = [question, { role: "assistant", content: "Hm." } as const, question];
    assert.deepEqual(responsesBody({ model, messages }, new Set()).input, messages);
    assert.equal(typeof responsesBody({ model, messages }, new Set(["input"])).input, "string");
  });

  const reasoning = { type: "reasoning", encrypted_content: "a" };
  const call = { type: "function_call", call_id: "c1", name: "add", arguments: '{"a":1}' };

  it("has an answer's text and arguments also where its items lack them", () => {
    const said = { role: "assistant", content: "Wait." } as const;
    const message = { type: "message", ...said, phase: "commentary" };
    const inputOf = (...items: readonly JsonObject[]): unknown => {
      const [asked, answer, result] = withResult.messages;
      const messages = [asked, { ...answer, items: { entry: "primary", model, items } }, result];
      return responsesBody({ model, messages } as ChatRequest, new Set()).input;
    };
    const result = { type: "function_call_output", call_id: "c1", output: "1" };
    const whole = [reasoning, message, { ...call, id: "fc1" }];
    assert.deepEqual(inputOf(...whole), [question, ...whole, result]);
    const rebuilt = [question, reasoning, said, call, result];
    for (const content of ["", [], [{ type: "output_text", text: "" }]])
      assert.deepEqual(inputOf(reasoning, { ...message, content }, call), rebuilt);
    for (const input of ["", undefined, { a: 1 }])
      assert.deepEqual(inputOf(reasoning, message, { ...call, arguments: input }), rebuilt);
  });

  const calling = (...ids: readonly string[]) =>
    ({ role: "assistant", content: "", toolCalls: ids.map((id) => ({ id, name: "add", input: {} })) }) as const;
  const result = (toolCallId: string, content: string) => ({ role: "tool", toolCallId, content }) as const;
  const asReturned = (message: ReturnType<typeof calling>): ChatMessage => {
    const calls = message.toolCalls.map(({ id }) => ({ ...call, call_id: id }));
    return { ...message, items: { entry: "primary", model, items: [reasoning, ...calls] } };
  };
  each<[messages: readonly ChatMessage[]], string>([
    [
      "has the results of each answer's calls right after it, and results without a call as text",
      [result("c0", "A"), calling("c1", "c2", "c3"), question, result("c3", "D"), result("c1", "B"), result("c1", "C")],
      "Result of the tool call c0:\nA | c1 | c2 | c3 | c3: D | c1: B | c2: [No result.] | Why? | Result of the tool call c1:\nC",
    ],
    [
      "leaves the IDs of calls as in their items",
      [
        calling("c1"),
        result("c1", "A"),
        asReturned(calling("c1")),
        result("c1", "B"),
        calling("c1"),
        result("c1", "C"),
      ],
      "c1 | c1: A | reasoning | c1 | c1: B | c1_1 | c1_1: C",
    ],
  ]).gives((messages) => {
    const { input } = responsesBody({ model, messages, tools: [add] }, new Set());
    return (input as readonly Readonly<Record<string, string>>[])
      .map(({ type, call_id: id, output, content }) => (output ? `${id}: ${output}` : (id ?? content ?? type)))
      .join(" | ");
  });

  const fields = [
    ["one question", { model, messages: [question] }, [], ["stream"]],
    ["a tool result", withResult, [], ["include", "store", "tools", "stream", "input"]],
    ["a tool result without the list", withResult, ["input"], ["include", "store", "tools", "stream"]],
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
  const { read, itReads, itFails } = readerTests(() => new ResponsesReader());
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

  const text = (said: string) => ({ type: "text", text: said });
  const hi = text("Hi");

  itReads("whole", "Hi, 2+3=5, stop", [{ object: "response", output: [message], usage }]);
  itReads("with cached tokens", "Hi, 2+3=5 (1), stop", [
    { output: [message], usage: { ...usage, input_tokens_details: { cached_tokens: 1 } } },
  ]);
  itReads("whole, with the shortcut", "Hi, stop", [{ output: [], output_text: "Hi" }]);
  itReads("whole, with calls of the same name", "c1 add a=1, c2 add a=1, toolCalls", [{ output: [call, second] }]);
  itReads("whole, with reasoning", "(hm), Hi, stop", [{ output: [thoughts, message] }]);
  itReads("whole, with a refusal", "Hi, stop", [{ output: [{ type: "message", content: [{ refusal: "Hi" }] }] }]);
  itReads("with arguments that are an object", "c1 add a=1, toolCalls", [
    { output: [{ ...call, arguments: { a: 1 } }] },
  ]);
  itReads("cut off by its length", "Hi, length", [
    piece("Hi"),
    event("incomplete", { response: { incomplete_details: { reason: "max_output_tokens" } } }),
  ]);
  itReads("with an item that is cut off", "Hi, length", [completed({ ...message, status: "incomplete" })]);
  itReads("with a call that is cut off, and a complete response", "Hi, length", [
    piece("Hi"),
    event("output_item.done", { item: { ...call, arguments: "", status: "incomplete" } }),
    completed(),
  ]);
  itReads("cut off inside a call", "Hi, length", [
    { status: "incomplete", output: [message, { ...call, arguments: '{"a":' }] },
  ]);
  itReads("filtered", "Hi, contentFilter", [{ output: [message], incomplete_details: { reason: "content_filter" } }]);
  itReads("filtered, and failed for it", "Hi, contentFilter", [
    piece("Hi"),
    event("failed", { response: { status: "failed", incomplete_details: { reason: "content_filter" } } }),
  ]);
  itReads("in pieces, its text once", "Hi, 2+3=5, stop", [
    event("created"),
    piece("H"),
    piece("i"),
    event("completed", { response: { output: [message], usage } }),
  ]);
  itReads("with its texts in every event there is, by name, once", "ABCD, stop", [
    piece("A", { item_id: "m1", output_index: 1, content_index: 0 }),
    event("output_text.done", { text: "A", output_index: 1, content_index: 0 }),
    event("output_text.done", { text: "B", output_index: 1, content_index: 1 }),
    event("output_item.done", { item: { type: "message", id: "m1", content: ["A", "B", "C"] }, output_index: 1 }),
    completed({ type: "message", content: ["A", "B", "C"] }, messageOf("D")),
  ]);
  itReads("with the rest of its text only at its end", "Hi, stop", [piece("H"), completed(message)]);

  itReads("with one id for two calls", "c1 add a=1, c1_1 add a=2, toolCalls", [
    ...[1, 2].flatMap((a) => [
      event("output_item.added", { output_index: a, item: { ...call, arguments: "" } }),
      args(`{"a":${a}}`, { item_id: "fc1", output_index: a }),
      event("output_item.done", { output_index: a, item: { ...call, arguments: `{"a":${a}}` } }),
    ]),
    completed(),
  ]);
  itReads("with a message in pieces between whole ones, at the same place", "ABC, stop", [
    event("output_item.done", { output_index: 0, item: messageOf("A", { id: "m1" }) }),
    piece("B", { output_index: 0, item_id: "m2" }),
    event("output_item.done", { output_index: 0, item: messageOf("B", { id: "m2" }) }),
    event("output_item.done", { output_index: 0, item: messageOf("C", { id: "m3" }) }),
    completed(messageOf("A"), messageOf("B"), messageOf("C")),
  ]);
  itFails("another shape, naming its keys", /: id, result\./, [{ id: "1", result: "Hi" }]);
  itFails("an unknown status", /unknown reason/, [{ status: "expired", output: [message] }]);
  itFails("a response in progress", /not finished/, [{ status: "in_progress", output: [message] }]);
  itFails("a stream that was cancelled", /not finished/, [piece("Hi"), event("cancelled")]);
  itFails("a call whose arguments never come", /arguments of the tool call add/, [
    event("output_item.added", { item: { ...call, arguments: "" } }),
    completed(),
  ]);
  itFails("broken arguments", /arguments of the tool call add/, [completed({ ...call, arguments: '{"a":' })]);

  it("is read by the names of its events if its data have no type", () => {
    const reader = new ResponsesReader();
    reader.read({ delta: "Hi" }, "response.output_text.delta");
    reader.read({ response: {} }, "response.completed");
    assert.deepEqual([...reader.take(), ...reader.end()], [hi, stop]);
  });

  it("is read fast if it has many items and many ends", () => {
    const item = { ...message, role: "assistant", content: [], phase: "x" };
    const items = Array.from({ length: 10_000 }, (_, n) => event("output_item.done", { item: { ...item, n } }));
    const ends = Array.from({ length: 6_000 }, () => completed());
    const time = processorTime(() => {
      read([piece("Hi"), ...items, ...ends]);
    });
    assert.ok(time < 1_000, `${time} ms`);
  });

  it("has failed if its status says so", () => {
    for (const failure of [event("failed"), { status: "failed", output: [message] }]) {
      assert.throws(() => read([piece("Hi"), failure]), { kind: "serverError" });
    }
  });
});
