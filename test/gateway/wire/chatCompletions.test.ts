import assert from "node:assert/strict";
import { ChatReader } from "../../../src/gateway/wire/chatReader.ts";
import { processorTime } from "../../support/assertLinear.ts";
import { readerTests } from "./readerTests.ts";

const usage = { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 };

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
  const add = { name: "add", arguments: '{"a":1}' };

  itReads("whole, with text", "Hi, 2+3=5, stop", [{ ...whole({ content: "Hi" }, { finish_reason: "stop" }), usage }]);
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
  const others = { input_tokens: 0, output_tokens: 0, input_tokens_details: null };
  itReads("with zeros under the other API's names", "H, 2+3=5 (1), stop", [
    { ...said("H", "stop"), usage: { ...usage, prompt_tokens_details: { cached_tokens: 1 }, ...others } },
  ]);
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
  itReads("with a choice for each of its messages", "AB, c0 add a=1, stop", [
    {
      choices: [
        { message: { content: "A" }, finish_reason: "stop" },
        {
          index: 1,
          message: { content: "B", tool_calls: [{ id: "c0", function: add }] },
        },
      ],
    },
  ]);
  itReads("with messages in place of deltas", "Hi, stop", [
    whole({ content: "H" }),
    whole({ content: "i" }, { delta: null }),
    delta({}, "stop"),
  ]);
  itReads("repeated whole at its end", "(hm), Hi, c0 add a=1, c1 mul b=2, toolCalls", [
    ...[delta({ reasoning_content: "hm" }), said("Hi"), piece(0, '{"a"', add0), piece(1, '{"b"', mul1)],
    ...[piece(0, ":1}"), piece(1, ":2}")],
    whole({ content: "Hi", reasoning_content: "hm", tool_calls: [{ id: "c0", function: add }] }),
    delta({}, "tool_calls"),
  ]);
  itReads("with the id of each call in all its pieces", "c0 add a=1, c1 add a=1, toolCalls", [
    ...["c0", "c1"].flatMap((id) => [
      call({ id, function: { name: "add", arguments: '{"a"' } }),
      call({ id, function: { arguments: ":1}" } }),
    ]),
    delta({}, "tool_calls"),
  ]);
  itReads("with a call without id or arguments, whole", "call_0 now, toolCalls", [
    whole({ content: null, tool_calls: [{ function: { name: "now" } }] }),
  ]);
  itReads("that calls a tool and says it stopped", "c0 add, stop", [piece(0, "{}", add0), delta({}, "stop")]);
  itReads("with arguments that are an object", "c0 add a=1, toolCalls", [piece(0, "", add0), piece(0, { a: 1 })]);
  itReads("with an empty object before its arguments", "c0 add a=1, toolCalls", [
    ...[piece(0, "{}", add0), piece(0, '{"a"'), piece(0, ":1}")],
  ]);
  itReads("with a call that is repeated under another index", "c0 add a=1, toolCalls", [
    ...[piece(0, "", add0), piece(0, '{"a"'), piece(0, ":1}"), piece(1, '{"a":1}', add0)],
  ]);
  itReads("with other arguments under the same id", "c0 add a=1, c0_1 add a=2, toolCalls", [
    ...[piece(0, '{"a":1}', add0), piece(1, '{"a":2}', add0)],
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
