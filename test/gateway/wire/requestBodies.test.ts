import assert from "node:assert/strict";
import type { JsonObject } from "../../../src/base/json.ts";
import type { ChatMessage, ChatRequest, TextApi } from "../../../src/gateway/types.ts";
import { bodyText } from "../../../src/gateway/wire/bodyText.ts";
import { chatBody, fieldsOf, responsesBody } from "../../../src/gateway/wire/requestBodies.ts";
import { each } from "../../support/each.ts";

const model = "gpt-5.4";
const question = { role: "user", content: "Why?" } as const;
const system = { role: "system", content: "Be brief." } as const;
const empty = { type: "object", properties: {} };
const add = { name: "add", description: "Adds.", inputSchema: { ...empty, properties: { a: {} } } };
const { inputSchema: parameters, ...described } = add;

/** An agent's second request, with what its first answer said and called, and what came of it. */
const conversation = [
  system,
  question,
  { role: "assistant", content: "Wait.", toolCalls: [{ id: "c1", name: "add", input: { a: 1 } }] },
  { role: "tool", toolCallId: "c1", content: "1" },
] as const;
const second: ChatRequest = { model, messages: conversation, tools: [add], toolChoice: "required" };

/** Items of the same answer as a gateway returns them. */
const reasoning = { type: "reasoning", encrypted_content: "a" };
const call = { type: "function_call", call_id: "c1", name: "add", arguments: '{"a":1}' };
const said = { role: "assistant", content: "Wait." } as const;

describe("the body of a chat completion", () => {
  it("asks for a stream with usage, offers tools, carries calls and results", () => {
    const calls = [{ id: "c1", type: "function", function: { name: "add", arguments: '{"a":1}' } }];
    assert.deepEqual(chatBody(second, new Set()), {
      model,
      messages: [system, question, { ...said, tool_calls: calls }, { role: "tool", tool_call_id: "c1", content: "1" }],
      tools: [{ type: "function", function: { ...described, parameters } }],
      tool_choice: "required",
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it("has calls and results as text if only tools are refused", () => {
    assert.deepEqual(chatBody(second, new Set(["tools"])).messages, [
      system,
      question,
      { role: "assistant", content: 'Wait.\nTool call c1: add({"a":1})' },
      { role: "user", content: "Result of the tool call c1:\n1" },
    ]);
  });

  it("completes a schema that is missing, or has no type or properties, which services refuse", () => {
    const schemas = [undefined, {}, { type: "object" }, { properties: { a: {} }, required: ["a"] }];
    const tools = schemas.map((inputSchema) => ({ ...described, ...(inputSchema && { inputSchema }) }));
    const { tools: sent } = chatBody({ model, messages: [], tools }, new Set());
    assert.deepEqual(
      (sent as readonly { readonly function: JsonObject }[]).map((tool) => tool.function.parameters),
      [empty, empty, empty, { ...empty, ...schemas[3] }],
    );
  });

  it("has no empty messages, which some services refuse", () => {
    const blank = (["system", "user", "assistant"] as const).map((role) => ({ role, content: "" }));
    assert.deepEqual(chatBody({ model, messages: [...blank, question, ...blank] }, new Set()).messages, [question]);
  });

  const result = (toolCallId: string, content: string): ChatMessage => ({ role: "tool", toolCallId, content });
  const calling = (...ids: readonly string[]): ChatMessage => {
    const toolCalls = ids.map((id) => ({ id, name: "add", input: {} }));
    // Only responses return items, and name the ids in them.
    return { role: "assistant", content: "", toolCalls, items: { entry: "primary", model, items: [] } };
  };
  each<[messages: readonly ChatMessage[]], string>([
    [
      "has the results of each answer's calls right after it, wherever they stand",
      [calling("c1", "c2"), calling("c3"), question, result("c3", "C"), result("c2", "B"), result("c1", "A")],
      "c1+c2 | c2: B | c1: A | c3 | c3: C | Why?",
    ],
    [
      "has results without a call as text",
      [result("c0", "A"), calling("c1"), result("c1", "B"), result("c1", "C")],
      "Result of the tool call c0:\nA | c1 | c1: B | Result of the tool call c1:\nC",
    ],
    [
      "does not take the result of a later call with the same ID for one that was lost",
      [calling("c1"), question, calling("c1"), result("c1", "A")],
      "c1 | c1: [No result.] | Why? | c1_1 | c1_1: A",
    ],
    [
      "has an ID of its own for each call if one is repeated in the same answer, or empty",
      [calling("c1", "c1", ""), result("c1", "A"), result("c1", "B"), result("", "C")],
      "c1+c1_1+_2 | c1: A | c1_1: B | _2: C",
    ],
    [
      "has an ID of its own for each call if one is repeated later, or is like that of a renamed call",
      [calling("c1"), result("c1", "A"), calling("c1", "c1_1"), result("c1", "B"), result("c1_1", "C")],
      "c1 | c1: A | c1_1+c1_1_2 | c1_1: B | c1_1_2: C",
    ],
  ]).gives((messages) => {
    const { messages: sent } = chatBody({ model, messages, tools: [add] }, new Set());
    type WireMessage = Readonly<Record<string, string>> & { readonly tool_calls?: readonly { readonly id: string }[] };
    return (sent as readonly WireMessage[])
      .map(({ tool_calls, tool_call_id, content }) => {
        if (tool_calls) return tool_calls.map(({ id }) => id).join("+");
        return tool_call_id === undefined ? content : `${tool_call_id}: ${String(content)}`;
      })
      .join(" | ");
  });
});

describe("the body of a responses request", () => {
  it("keeps the documented string as long as no tool result must be carried", () => {
    assert.deepEqual(responsesBody({ ...second, messages: [system, question] }, new Set()), {
      model,
      input: "Instructions:\nBe brief.\n\nUser:\nWhy?",
      tools: [{ type: "function", ...described, parameters, strict: false }],
      tool_choice: "required",
      stream: true,
      store: false,
      include: ["reasoning.encrypted_content"],
    });
  });

  it("has the whole conversation in the string if the list is refused", () => {
    assert.equal(
      responsesBody(second, new Set(["input"])).input,
      [
        "Instructions:\nBe brief.",
        "User:\nWhy?",
        'Assistant:\nWait.\nTool call c1: add({"a":1})',
        "Tool:\nResult of the tool call c1:\n1",
      ].join("\n\n"),
    );
  });

  it("leaves out a tool's field that is refused, and keeps the tool", () => {
    const { tools } = responsesBody(second, new Set(["strict"]));
    assert.deepEqual(tools, [{ type: "function", ...described, parameters }]);
  });

  it("has a list for earlier turns, and if the requests of a conversation are to begin alike", () => {
    const turns = [question, said, question];
    assert.deepEqual(responsesBody({ model, messages: turns }, new Set()).input, turns);
    const messages = [system, question];
    assert.deepEqual(responsesBody({ model, messages, conversation: "a" }, new Set()).input, messages);
    assert.equal(responsesBody({ model, messages: [question], conversation: "a" }, new Set()).input, question.content);
  });

  it("has an answer's items, and its text and arguments also where they lack these", () => {
    const message = { type: "message", ...said, phase: "commentary" };
    const inputOf = (...items: readonly JsonObject[]): unknown => {
      const [, , answer, result] = conversation;
      const messages = [{ ...answer, items: { entry: "primary", model, items } }, result] as const;
      return responsesBody({ model, messages }, new Set()).input;
    };
    const result = { type: "function_call_output", call_id: "c1", output: "1" };
    const whole = [reasoning, message, { ...call, id: "fc1" }];
    assert.deepEqual(inputOf(...whole), [...whole, result]);
    const rebuilt = [reasoning, said, call, result];
    for (const content of ["", [], [{ type: "output_text", text: "" }]])
      assert.deepEqual(inputOf(reasoning, { ...message, content }, call), rebuilt);
    for (const input of ["", undefined, { a: 1 }])
      assert.deepEqual(inputOf(reasoning, message, { ...call, arguments: input }), rebuilt);
  });

  it("leaves the IDs of calls as in their items", () => {
    const [, , said, result] = conversation;
    const answer = { ...said, content: "" };
    const returned = { ...answer, items: { entry: "primary", model, items: [reasoning, call] } } as const;
    const { input } = responsesBody({ model, messages: [answer, result, returned, result, answer, result] }, new Set());
    const ids = (input as readonly JsonObject[]).map(({ call_id, type }) => call_id ?? type);
    assert.deepEqual(ids, ["c1", "c1", "reasoning", "c1", "c1", "c1_1", "c1_1"]);
  });
});

describe("the fields that the interface does not document", () => {
  const one: ChatRequest = { model, messages: [question] };
  const agent: ChatRequest = { ...second, toolChoice: "auto" };
  each<[api: TextApi, request: ChatRequest, dropped: readonly string[]], string>([
    ["are those of a stream for one question", "chatCompletions", one, [], "stream_options stream"],
    ["are none without a stream", "responses", one, ["stream"], ""],
    ["are those of tools and roles", "chatCompletions", second, [], "stream_options tool_choice tools stream messages"],
    ["are fewer where the model may choose", "chatCompletions", agent, ["stream"], "tools messages"],
    ["are the roles without tools", "chatCompletions", second, ["tools"], "stream_options stream messages"],
    ["have no roles in one message", "chatCompletions", second, ["tools", "messages"], "stream_options stream"],
    ["are those of reasoning and a list", "responses", agent, [], "include store tools stream input"],
    ["have no list in a string", "responses", agent, ["input"], "include store tools stream"],
    ["have no list without tools", "responses", agent, ["tools"], "stream"],
  ]).gives((api, request, dropped) => fieldsOf(api, request, new Set(dropped)).join(" "));
});

it("the text of a body has no half characters", async () => {
  assert.equal(await bodyText({ content: ["half a \ud83d smile"] }), '{"content":["half a \ufffd smile"]}');
});
