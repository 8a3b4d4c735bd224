import assert from "node:assert/strict";
import type { ChatMessage, ChatRequest } from "../../../src/gateway/types.ts";
import { chatBody, fieldsOf } from "../../../src/gateway/wire/requestBodies.ts";
import { ChatReader } from "../../../src/gateway/wire/chatReader.ts";
import { processorTime } from "../../support/assertLinear.ts";
import { each } from "../../support/each.ts";
import { readerTests } from "./readerTests.ts";

const model = "gpt-5.4";
const question = { role: "user", content: "Why?" } as const;
const add = { name: "add", description: "Adds.", inputSchema: { type: "object", properties: { a: {} } } };
const wireAdd = { type: "function", function: { name: "add", description: "Adds.", parameters: add.inputSchema } };
const usage = { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 };

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

interface WireMessage {
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
  readonly content: string;
}

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

  it("completes a schema that is missing, or has no type or properties, which services refuse", () => {
    const schemas = [undefined, {}, { type: "object" }, { properties: { a: {} }, required: ["a"] }];
    const tools = schemas.map((inputSchema) => ({ name: "now", description: "", ...(inputSchema && { inputSchema }) }));
    const { tools: sent } = chatBody({ model, messages: [], tools }, new Set());
    const empty = { type: "object", properties: {} };
    assert.deepEqual(
      (sent as readonly (typeof wireAdd)[]).map((tool) => tool.function.parameters),
      [empty, empty, empty, { ...empty, ...schemas[3] }],
    );
  });

  it("has no empty messages, which some services refuse", () => {
    const empty = (["system", "user", "assistant"] as const).map((role) => ({ role, content: "" }));
    assert.deepEqual(chatBody({ model, messages: [...empty, question, ...empty] }, new Set()).messages, [question]);
  });

  // Only responses return items, and name the ids in them.
  const items = { entry: "primary", model, items: [] } as const;
  const calling = (...ids: readonly string[]): ChatMessage => {
    const toolCalls = ids.map((id) => ({ id, name: "add", input: {} }));
    return { role: "assistant", content: "", toolCalls, items };
  };
  const result = (toolCallId: string, content: string): ChatMessage => ({ role: "tool", toolCallId, content });
  each<[messages: readonly ChatMessage[]], string>([
    [
      "has the result of each call right after it, also where two messages call or something stands between",
      [calling("c1"), calling("c2"), question, result("c2", "B"), result("c1", "A")],
      "c1 | c1: A | c2 | c2: B | Why?",
    ],
    [
      "does not take the result of a later call with the same ID for one that was lost",
      [calling("c1"), question, calling("c1"), result("c1", "A")],
      "c1 | c1: [No result.] | Why? | c1_1 | c1_1: A",
    ],
    [
      "has an ID of its own for each call if one is repeated in the same answer",
      [calling("c1", "c1"), result("c1", "A"), result("c1", "B")],
      "c1+c1_1 | c1: A | c1_1: B",
    ],
    [
      "has an ID of its own for each call if one is repeated later, or is like that of a renamed call",
      [calling("c1"), result("c1", "A"), calling("c1", "c1_1"), result("c1", "B"), result("c1_1", "C")],
      "c1 | c1: A | c1_1+c1_1_2 | c1_1: B | c1_1_2: C",
    ],
    [
      "has an ID for a call without one",
      [calling("", "c1"), result("", "A"), result("c1", "B")],
      "_0+c1 | _0: A | c1: B",
    ],
  ]).gives((messages) => {
    const { messages: sent } = chatBody({ model, messages, tools: [add] }, new Set());
    return (sent as readonly WireMessage[])
      .map(({ tool_calls, tool_call_id, content }) => {
        if (tool_calls) return tool_calls.map(({ id }) => id).join("+");
        return tool_call_id === undefined ? content : `${tool_call_id}: ${content}`;
      })
      .join(" | ");
  });

  const fields = [
    ["one question", { model, messages: [question] }, [], ["stream_options", "stream"]],
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
  const { read, itReads, itFails } = readerTests(() => new ChatReader());

  const add0 = { id: "c0", name: "add" };
  const mul1 = { id: "c1", name: "mul" };

  itReads("whole, with text", "Hi, 2+3=5, stop", [{ ...whole({ content: "Hi" }, { finish_reason: "stop" }), usage }]);
  itReads("in pieces, usage after the end", "Hi, 2+3=5, stop", [
    delta({ role: "assistant", content: "" }),
    said("H"),
    said("i"),
    delta({}, "stop"),
    { choices: [], usage },
  ]);
  for (const [cached, told] of [
    [1e9, " (2)"],
    [-1, ""],
  ] as const)
    itReads(`with ${cached} cached tokens`, `H, 2+3=5${told}, stop`, [
      said("H", "stop"),
      { usage: { ...usage, prompt_tokens_details: { cached_tokens: cached } } },
    ]);
  const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
  itReads("with zeros after its usage", "H, 2+3=5, stop", [{ ...said("H", "stop"), usage }, { usage: zeros }]);
  itReads("cut off by its length", "H, length", [said("H", "length")]);
  itReads("filtered, in other words", "contentFilter", [delta({}, "SAFETY")]);
  itReads("with an end of another name", "H, stop", [said("H", "eos")]);
  itReads("with reasoning", "(hmso), H, stop", [
    delta({ reasoning_content: "hm" }),
    delta({ reasoning: "so" }),
    said("H"),
  ]);
  itReads("with texts of every form", "abc, stop", [
    delta({
      content: ["a", { type: "text", text: "b" }, { type: "thinking", text: "no" }, { type: "refusal", refusal: "c" }],
    }),
  ]);
  itReads("with messages in place of deltas", "Hi, stop", [
    whole({ content: "H" }),
    whole({ content: "i" }, { delta: null }),
    delta({}, "stop"),
  ]);
  itReads("with a call without id or arguments, whole", "call_0 now, toolCalls", [
    whole({ content: null, tool_calls: [{ function: { name: "now" } }] }),
  ]);
  itReads("that calls a tool and says it stopped", "c0 add, stop", [piece(0, "{}", add0), delta({}, "stop")]);
  itReads("with arguments that are an object", "c0 add a=1, toolCalls", [piece(0, "", add0), piece(0, { a: 1 })]);
  itReads("with an empty object before its arguments", "c0 add a=1, toolCalls", [
    ...[piece(0, "{}", add0), piece(0, '{"a"'), piece(0, ":1}")],
  ]);
  itReads("with null in place of arguments", "c0 add, toolCalls", [piece(0, "null", add0)]);
  itReads("with arguments encoded twice", "c0 add a=1, toolCalls", [piece(0, JSON.stringify('{"a":1}'), add0)]);
  itReads("with calls that share a place, or have none", "c0 add a=1, c1 mul b=2, call_2 add a=3, toolCalls", [
    piece(0, '{"a":1}', add0),
    piece(0, '{"b":2}', mul1),
    piece(undefined, '{"a":3}', { name: "add" }),
  ]);
  itReads("with one id for two calls, whole", "c0 add a=1, c0_1 add a=2, toolCalls", [
    whole({
      tool_calls: ['{"a":1}', '{"a":2}'].map((text) => ({ id: "c0", function: { name: "add", arguments: text } })),
    }),
  ]);
  itFails("a call without arguments, and without a finish reason", /broke off/, [said("H"), piece(0, "", add0)]);
  itReads("cut off before the arguments of a call", "length", [
    piece(0, "", add0),
    delta({}, "length"),
    delta({}, "stop"),
  ]);

  const halfMegabyte = "x".repeat(1 << 19);
  itFails("arguments that are a text", /arguments of the tool call add/, [piece(0, '"x"', add0)]);
  itFails("arguments that are neither", /not a JSON object/, [piece(0, [1], add0)]);
  const together = [0, 1, 2].map((at) => piece(at, halfMegabyte, { name: "f" }));
  itFails("arguments of more than 1 MB together", /too long/, together);
  const tooMany = Array.from({ length: 129 }, (_, index) => piece(index, "", { name: "f" }));
  itFails("calls without end", /too many/, tooMany);
  itFails("tool calls that are a word", /not a list/, [delta({ tool_calls: "add" })]);
  itFails("a tool call that is a word", /not an object/, [delta({ tool_calls: ["add"] })]);
  itFails("a call without a name", /no name/, [piece(0, "{}", { id: "c0" })]);
  it("is read fast if each piece of a call looks like the beginning of another one", () => {
    const pieces = [`{"a":"${halfMegabyte}"}`, ...Array<string>(4_000).fill("}")];
    const time = processorTime(() => {
      assert.throws(() => read(pieces.map((text) => piece(0, `${text}}`, { name: "f" }))), { kind: "unreadable" });
    });
    assert.ok(time < 1_000, `${time} ms`);
  });
  itFails("choices that are no list", /: choices\./, [{ choices: {} }]);
});
