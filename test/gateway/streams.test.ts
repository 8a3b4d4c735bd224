import assert from "node:assert/strict";
import type { AnswerReader } from "../../src/gateway/wire/answerReader.ts";
import { ChatReader } from "../../src/gateway/wire/chatReader.ts";
import { ResponsesReader } from "../../src/gateway/wire/responsesReader.ts";
import { chance, oneOf, seedOf } from "../support/random.ts";
import { answerOf, readAll } from "./wire/answerOf.ts";

type Events = readonly (object | string)[];

const thought = "hm, so: ";
const text = "Grüße, 世界 and all the others.";
const calls = [0, 1].map((at) => ({
  id: `c${at}`,
  name: "f",
  input: JSON.stringify({ at, code: "if (x) { y }\n{}" }),
}));

const pieces = (whole: string): readonly string[] => whole.match(/[^]{1,4}/gu) ?? [];

/** A chat completion, repeated whole at its end or not, whose calls arrive in turns if they have an index. */
function chat(ids: "same" | "each", callMarks: "index" | "id", isRepeated: boolean): Events {
  let count = 0;
  const chunk = (choice: object): object => ({ id: ids === "same" ? "chat" : `chat${count++}`, choices: [choice] });
  const delta = (fields: object): object => chunk({ index: 0, delta: fields, finish_reason: null });
  const toCall = (at: number, piece: string, isHead: boolean): object => {
    const { id, name } = calls[at] ?? assert.fail();
    const marks = callMarks === "index" ? { index: at, ...(isHead && { id }) } : { id };
    return delta({ tool_calls: [{ ...marks, function: { ...(isHead && { name }), arguments: piece } }] });
  };
  const inputs = calls.map(({ input }, at) => pieces(input).map((piece, part) => toCall(at, piece, part === 0)));
  const inTurns = pieces(calls[0]?.input ?? "").flatMap((_, part) =>
    inputs.flatMap((list) => list.slice(part, part + 1)),
  );
  const tool_calls = calls.map(({ id, name, input }) => ({ id, function: { name, arguments: input } }));
  const message = { content: text, reasoning_content: thought, tool_calls };
  return [
    delta({ role: "assistant", content: "" }),
    ...pieces(thought).map((piece) => delta({ reasoning_content: piece })),
    ...pieces(text).map((piece) => delta({ content: piece })),
    ...(callMarks === "index" ? inTurns : inputs.flat()),
    chunk({ index: 0, ...(isRepeated ? { message } : { delta: {} }), finish_reason: "tool_calls" }),
  ];
}

/** A response whose items come in these kinds of events, with these marks. */
function response(
  kinds: "delta" | "done" | "item" | "all" | "end",
  marks: "index" | "id" | "renewed" | "none",
): Events {
  let count = 0;
  const has = (kind: string): boolean => kinds === kind || kinds === "all";
  const items = [
    { kind: "reasoning_summary_text", said: thought, item: { type: "reasoning", summary: [{ text: thought }] } },
    { kind: "output_text", said: text, item: { type: "message", content: [{ type: "output_text", text }] } },
    ...calls.map(({ id, name, input }) => {
      const item = { type: "function_call", call_id: id, name, arguments: input };
      return { kind: "function_call_arguments", said: input, item };
    }),
  ];
  const events = items.flatMap(({ kind, said, item }, at) => {
    const marked = (type: string, fields: object): object => ({
      ...{ type: `response.${type}`, ...fields },
      ...((marks === "index" || marks === "renewed") && { output_index: at }),
      ...(marks === "id" && { item_id: `i${at}` }),
      ...(marks === "renewed" && { item_id: `i${count++}` }),
    });
    const itemEvent = (type: string, more: object = {}): object =>
      marked(`output_item.${type}`, { item: { ...item, ...(marks === "id" && { id: `i${at}` }), ...more } });
    return [
      ...("arguments" in item ? [itemEvent("added", { arguments: "" })] : []),
      ...(has("delta") ? pieces(said).map((delta) => marked(`${kind}.delta`, { delta })) : []),
      ...(has("done") ? [marked(`${kind}.done`, { text: said, arguments: said })] : []),
      ...(has("item") ? [itemEvent("done")] : []),
    ];
  });
  const output = has("end") || has("item") ? items.map(({ item }) => item) : [];
  return [...events, { type: "response.completed", response: { status: "completed", output } }];
}

const forms: Readonly<Record<string, readonly [events: Events, newReader: () => AnswerReader]>> = {
  "a chat completion": [chat("same", "index", false), () => new ChatReader()],
  "a chat completion that is repeated": [chat("same", "index", true), () => new ChatReader()],
  "a chat completion with many ids": [chat("each", "id", true), () => new ChatReader()],
  "a chat completion at its end": [chat("same", "index", true).slice(-1), () => new ChatReader()],
  "a response in all events": [response("all", "index"), () => new ResponsesReader()],
  "a response in all events, by id": [response("all", "id"), () => new ResponsesReader()],
  "a response in all events, under new ids": [response("all", "renewed"), () => new ResponsesReader()],
  "a response in all events, without marks": [response("all", "none"), () => new ResponsesReader()],
  "a response in deltas": [response("delta", "index"), () => new ResponsesReader()],
  "a response in items": [response("item", "id"), () => new ResponsesReader()],
  "a response at its end": [response("end", "none"), () => new ResponsesReader()],
};

/** The answer as it is sent, with noise between its events, in reads of any length. */
function sent(events: Events, random: () => number, cutAt = Infinity): readonly Buffer[] {
  const noise = [": still here", "id: 7", "event: ping\ndata: {}", "data: ping", "foo: bar"] as const;
  const blocks = events.flatMap((event, at) => {
    const block = `data: ${typeof event === "string" ? event : JSON.stringify(event)}`;
    return at > 0 && random() < 0.1 ? [oneOf(noise, random), block] : [block];
  });
  const newline = oneOf(["\n", "\r\n", "\r"], random);
  const bytes = Buffer.from(
    blocks
      .map((block) => `${block}\n\n`)
      .join("")
      .replaceAll("\n", newline),
  ).subarray(0, cutAt);
  const reads: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += reads.at(-1)?.length ?? 0)
    reads.push(bytes.subarray(at, at + Math.ceil(random() * oneOf([2_000, 50], random))));
  return reads;
}

describe("a stream in any form of gateways", () => {
  for (const [form, [events, newReader]] of Object.entries(forms)) {
    it(`yields each word and call once: ${form}`, async () => {
      for (let seed = 0; seed < 20; seed += 1) {
        const reads = sent(events, chance(seedOf(`${form} ${seed}`)));
        const { parts, failure } = await readAll(answerOf(reads, "text/event-stream"), newReader(), 10_000);
        const said = { text: "", reasoning: "" };
        for (const part of parts) if (part.type === "text" || part.type === "reasoning") said[part.type] += part.text;
        const found = parts.flatMap((part) => (part.type === "toolCall" ? [{ id: part.id, input: part.input }] : []));
        assert.deepEqual([failure, said], [undefined, { text, reasoning: thought }], `seed ${seed}`);
        assert.deepEqual(
          found,
          calls.map(({ id, input }) => ({ id, input: JSON.parse(input) as unknown })),
          `seed ${seed}`,
        );
      }
    });

    it(`is never whole if it is cut, broken or failed: ${form}`, async () => {
      for (let seed = 0; seed < 40; seed += 1) {
        const random = chance(seedOf(`broken ${form} ${seed}`));
        const bad = oneOf(["", '{"error":{"code":"server_error"}}', "Grüße {"], random);
        const rest = events.slice(0, -1);
        const reads =
          bad === ""
            ? sent(rest, random, Math.floor(random() * JSON.stringify(rest).length))
            : sent(events.toSpliced(Math.floor(random() * events.length), 0, bad), random);
        const { parts, failure } = await readAll(answerOf(reads, "text/event-stream"), newReader(), 10_000);
        assert.ok(failure && parts.every(({ type }) => type !== "finish"), `seed ${seed}`);
        if (bad.startsWith("{")) assert.equal(failure.kind, "serverError", `seed ${seed}`);
        assert.ok(
          text.startsWith(parts.map((part) => (part.type === "text" ? part.text : "")).join("")),
          `seed ${seed}`,
        );
      }
    });
  }
});
