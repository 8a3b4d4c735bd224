import assert from "node:assert/strict";
import { ResponsesReader } from "../../../src/gateway/wire/responsesReader.ts";
import { processorTime } from "../../support/assertLinear.ts";
import { readerTests } from "./readerTests.ts";

const usage = { input_tokens: 2, output_tokens: 3, total_tokens: 5 };
const stop = { type: "finish", reason: "stop" };

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
  const summary = ["**A**", "**B**"].map((one) => ({ type: "summary_text", text: one }));
  itReads("with the parts of its reasoning apart", "(**A**\n\n**B**), Hi, stop", [
    ...summary.flatMap((part, summary_index) => [
      event("reasoning_summary_part.added", { summary_index, part: { ...part, text: "" } }),
      event("reasoning_summary_text.delta", { summary_index, delta: part.text }),
      event("reasoning_summary_part.done", { summary_index, part }),
    ]),
    event("output_item.done", { item: { type: "reasoning", summary } }),
    completed({ type: "reasoning", summary }, message),
  ]);
  itReads("whole, with the parts of its reasoning apart", "(**A**\n\n**B**), Hi, stop", [
    { output: [{ type: "reasoning", summary }, message] },
  ]);
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
  itReads("with its texts in every event there is, by name, once", "ABCD, stop", [
    piece("A", { item_id: "m1", output_index: 1, content_index: 0 }),
    event("output_text.done", { text: "A", output_index: 1, content_index: 0 }),
    event("output_text.done", { text: "B", output_index: 1, content_index: 1 }),
    event("output_item.done", { item: { type: "message", id: "m1", content: ["A", "B", "C"] }, output_index: 1 }),
    completed({ type: "message", content: ["A", "B", "C"] }, messageOf("D")),
  ]);
  const ended = (item: object) => ({ type: "response.output_item.done", output_index: 0, item });
  itReads("with a whole item twice, and its text after it", "Hi, stop", [
    ...[ended(message), ended(message)],
    { type: "response.output_text.done", output_index: 0, text: "Hi" },
    completed(message),
  ]);
  itReads("that goes on after an object of another form", "Hi, stop", [piece("H"), { queue: 3 }, piece("i")]);
  itReads("with the rest of its text only at its end", "Hi, stop", [piece("H"), completed(message)]);

  const everything = [
    ["reasoning_summary_text", "hm", thoughts],
    ["output_text", "Hi", message],
    ["function_call_arguments", call.arguments, call],
    ["function_call_arguments", second.arguments, second],
  ] as const;
  const kinds = { "every event": /./, pieces: /added|delta/, "whole items": /output_item/ };
  let renewed = 0;
  const marks: Readonly<Record<string, (at: number) => { output_index?: number; item_id?: string }>> = {
    places: (output_index) => ({ output_index }),
    ids: (at) => ({ item_id: `i${at}` }),
    "an id of each event": (output_index) => ({ output_index, item_id: `i${(renewed += 1)}` }),
    nothing: () => ({}),
  };
  for (const [what, kind] of Object.entries(kinds))
    for (const [how, mark] of Object.entries(marks)) {
      const events = everything.flatMap(([name, all, item], at) => {
        const marked = (type: string, more: object) => event(type, { ...more, ...mark(at) });
        const id = mark(at).item_id;
        return [
          marked("output_item.added", { item: { ...item, id, content: [], summary: [], arguments: "" } }),
          ...Array.from(all, (delta) => marked(`${name}.delta`, { delta })),
          marked(`${name}.done`, { text: all, arguments: all }),
          marked("output_item.done", { item: { ...item, id } }),
        ].filter(({ type }) => kind.test(type));
      });
      const output = everything.map(([, , item]) => item);
      itReads(`in ${what}, told apart by ${how}`, "(hm), Hi, c1 add a=1, c2 add a=1, toolCalls", [
        ...events,
        completed(...output),
      ]);
    }
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
  itFails("a response in the queue", /not finished/, [{ status: "queued", output: [] }]);
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
