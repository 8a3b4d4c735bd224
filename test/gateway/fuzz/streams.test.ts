import assert from "node:assert/strict";
import type { AnswerReader } from "../../../src/gateway/wire/answerReader.ts";
import { ChatReader } from "../../../src/gateway/wire/chatReader.ts";
import type { ContentPart } from "../../../src/gateway/wire/answerState.ts";
import { ResponsesReader } from "../../../src/gateway/wire/responsesReader.ts";
import { Random } from "../../support/random.ts";
import { answerOf, readAll } from "../wire/answerOf.ts";

interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: string;
}

/** The content of an answer: the oracle. */
interface Intent {
  readonly thought: string;
  readonly texts: readonly string[];
  readonly calls: readonly Call[];
}

type Event = object | string;

const count = 500;

function intentOf(random: Random): Intent {
  const words = (from: string): string => Array.from({ length: random.below(6) }, (_, at) => `${from}${at} `).join("");
  const texts = Array.from({ length: random.below(4) }, (_, at) => words("abcd"[at] ?? "")).filter(
    (text) => text !== "",
  );
  const sameName = random.chance(0.5);
  const calls = Array.from({ length: random.below(4) }, (_, at) => ({
    id: `call${at}`,
    name: sameName ? "f" : `f${at}`,
    input: JSON.stringify({ at, code: "if (x) { y }\n{}" }),
  }));
  return {
    thought: random.chance(0.3) ? words("t") : "",
    texts: texts.length + calls.length === 0 ? ["x"] : texts,
    calls,
  };
}

function cut(text: string, random: Random): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const length = 1 + random.below(random.chance(0.3) ? 40 : 7);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

/** Interleaves lists, keeping the order within each. */
function mixed<T>(lists: readonly (readonly T[])[], random: Random): readonly T[] {
  const left = lists.map((list) => [...list]).filter((list) => list.length > 0);
  const all: T[] = [];
  while (left.length > 0) {
    const at = random.below(left.length);
    const [next] = left[at]?.splice(0, 1) ?? [];
    if (next !== undefined) all.push(next);
    if (left[at]?.length === 0) left.splice(at, 1);
  }
  return all;
}

/** A chat completion in one of the forms that gateways stream. */
function chatEvents({ thought, texts, calls }: Intent, random: Random): readonly Event[] {
  const text = texts.join("");
  const ids = random.pick(["same", "each", "none"] as const);
  const callIds = random.pick(["first", "each", "none", "same"] as const);
  const hasIndex = callIds === "same" || random.chance(0.7);
  const isAtZero = hasIndex && callIds !== "same" && random.chance(0.2);
  const inPieces = { text: random.chance(0.8), calls: random.chance(0.8), thought: random.chance(0.8) };
  const repeats = random.chance(0.3) || !(inPieces.text && inPieces.calls && inPieces.thought);
  const names = callIds !== "none" && random.chance(0.2) ? "each" : "first";
  let chunks = 0;
  const chunk = (choice: object): object => {
    chunks += 1;
    const id = ids === "none" ? {} : { id: ids === "same" ? "chat" : `chat${chunks}` };
    return { ...id, object: "chat.completion.chunk", choices: [{ index: 0, ...choice }] };
  };
  const delta = (fields: object): object => chunk({ delta: fields, finish_reason: null });
  const callChunks = calls.map(({ id, name, input }, at) => {
    const isWhole = !hasIndex || isAtZero || random.chance(0.2);
    return (isWhole && callIds === "none" ? [input] : cut(input, random)).map((piece, part) => {
      const isHead = part === 0;
      return delta({
        tool_calls: [
          {
            ...(hasIndex && { index: isAtZero ? 0 : at }),
            ...(callIds !== "none" && (isHead || callIds !== "first") && { id: callIds === "same" ? "c" : id }),
            function: { ...((isHead || names === "each") && { name }), arguments: piece },
          },
        ],
      });
    });
  });
  const canMix = hasIndex && !isAtZero;
  const message = {
    role: "assistant",
    content: text === "" ? null : text,
    ...(thought !== "" && { reasoning_content: thought }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, input }) => ({ id, type: "function", function: { name, arguments: input } })),
    }),
  };
  const reason = calls.length > 0 ? "tool_calls" : "stop";
  return [
    ...(random.chance(0.7) ? [delta({ role: "assistant", content: "" })] : []),
    ...(inPieces.thought ? cut(thought, random).map((piece) => delta({ reasoning_content: piece })) : []),
    ...(inPieces.text ? cut(text, random).map((piece) => delta({ content: piece })) : []),
    ...(inPieces.calls ? (canMix ? mixed(callChunks, random) : callChunks.flat()) : []),
    chunk(repeats ? { message, finish_reason: reason } : { delta: {}, finish_reason: reason }),
    ...(random.chance(0.5) ? [{ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } }] : []),
    ...(random.chance(0.7) ? ["[DONE]"] : []),
  ];
}

/** A response in one of the forms that gateways stream. */
function responseEvents({ thought, texts, calls }: Intent, random: Random): readonly Event[] {
  const naming = random.pick(["all", "index", "id", "renewed", "none"] as const);
  const levels = { deltas: random.chance(0.7), done: random.chance(0.5), items: random.chance(0.7) };
  const isInEnd = random.chance(0.6) || !(levels.deltas || levels.items);
  let renewed = 0;
  const event = (type: string, fields: object): object => ({ type: `response.${type}`, ...fields });
  /** The marks of an item in one event, of which some gateways send only some, or a new id each time. */
  const marksOf = (id: string, index: number): { output_index?: number; item_id?: string } => {
    renewed += 1;
    return {
      ...(["all", "index", "renewed"].includes(naming) && { output_index: index }),
      ...(["all", "id"].includes(naming) && { item_id: id }),
      ...(naming === "renewed" && { item_id: `${id}-${renewed}` }),
    };
  };
  const items: { item: object; events: readonly object[] }[] = [];
  /** Adds an item whose text comes in pieces under the name of the event `kind`, or whole. */
  const addItem = (
    id: string,
    item: object,
    kind: string,
    text: string,
    whole: object,
    ...others: readonly object[]
  ) => {
    const index = items.length;
    const itemEvent = (type: string, more: object = {}): object => {
      const { output_index, item_id } = marksOf(id, index);
      return event(`output_item.${type}`, { output_index, item: { ...item, id: item_id, ...more } });
    };
    const events = [
      ...(kind.includes("arguments") ? [itemEvent("added", { arguments: "" })] : []),
      ...(levels.deltas
        ? cut(text, random).map((delta) => event(`${kind}.delta`, { ...marksOf(id, index), delta }))
        : []),
      ...(levels.done ? [event(`${kind}.done`, { ...marksOf(id, index), ...whole })] : []),
      ...(levels.done ? others.map((one) => ({ ...one, ...marksOf(id, index) })) : []),
      ...(levels.items ? [itemEvent("done")] : []),
    ];
    items.push({ item, events });
  };
  if (thought !== "") {
    const item = { type: "reasoning", summary: [{ type: "summary_text", text: thought }] };
    addItem("r", item, "reasoning_summary_text", thought, { text: thought });
  }
  for (const [at, text] of texts.entries()) {
    const part = { type: "output_text", text };
    const item = { type: "message", role: "assistant", content: [part] };
    addItem(`m${at}`, item, "output_text", text, { text }, event("content_part.done", { part }));
  }
  for (const { id, name, input } of calls) {
    const callId = random.chance(0.1) && ["all", "index", "renewed"].includes(naming) ? "same" : id;
    const item = { type: "function_call", call_id: callId, name, arguments: input };
    addItem(`f${id}`, item, "function_call_arguments", input, { arguments: input });
  }
  const canMix = naming !== "none" && random.chance(0.3) && texts.length < 2;
  const lists = items.map(({ events }) => events);
  const response = {
    id: "r1",
    status: "completed",
    output: isInEnd || !(levels.deltas || levels.items) ? items.map(({ item }) => item) : [],
  };
  return [
    event("created", { response: { id: "r1", status: "in_progress", output: [] } }),
    ...(canMix ? mixed(lists, random) : lists.flat()),
    event("completed", { response }),
    ...(random.chance(0.3) ? [event("done", { response })] : []),
    ...(random.chance(0.3) ? ["[DONE]"] : []),
  ];
}

const noise = [
  ": still here",
  "id: 7",
  "retry: 10",
  "event: ping\ndata: {}",
  "data: ping",
  'data: {"type":"ping"}',
  "foo: bar",
];

function written(events: readonly Event[], random: Random): string {
  const isNamed = random.chance(0.5);
  const blocks = events.flatMap((event, at) => {
    const json = typeof event === "string" ? event : JSON.stringify(event);
    const type = typeof event === "object" && "type" in event ? String(event.type) : "";
    const block = `${isNamed && type !== "" ? `event: ${type}\n` : ""}data: ${json}`;
    return at > 0 && random.chance(0.1) ? [random.pick(noise) ?? "", block] : [block];
  });
  const newline = random.pick(["\n", "\r\n", "\r"]);
  return blocks
    .map((block) => `${block}\n\n`)
    .join("")
    .replaceAll("\n", newline);
}

function split(body: string, random: Random): readonly Buffer[] {
  const bytes = Buffer.from(body);
  const reads: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = 1 + random.below(random.chance(0.5) ? 2_000 : 50);
    reads.push(bytes.subarray(at, at + length));
    at += length;
  }
  return reads;
}

/** Reads a body that arrives in random pieces. */
function readPieces(body: string, reader: AnswerReader, random: Random): ReturnType<typeof readAll> {
  const type = random.pick(["text/event-stream", "", "application/json"]);
  return readAll(answerOf(split(body, random), type), reader, 10_000);
}

const wordsIn = (parts: readonly ContentPart[], type: "text" | "reasoning"): string =>
  parts.map((part) => (part.type === type ? part.text : "")).join("");

const apis = {
  chat: { events: chatEvents, reader: () => new ChatReader() },
  responses: { events: responseEvents, reader: () => new ResponsesReader() },
};

describe("a stream in any form of gateways", () => {
  for (const [api, { events, reader }] of Object.entries(apis)) {
    it(`yields each word and call once: ${api}`, async () => {
      for (let seed = 0; seed < count; seed += 1) {
        const random = new Random(`${api} ${seed}`);
        const intent = intentOf(random);
        const body = written(events(intent, random), random);
        const { parts, failure } = await readPieces(body, reader(), random);
        const told = `${api} ${seed}\n${body}`;
        assert.equal(failure, undefined, told);
        assert.equal(wordsIn(parts, "text"), intent.texts.join(""), told);
        assert.equal(wordsIn(parts, "reasoning"), intent.thought, told);
        const calls = parts.filter((part) => part.type === "toolCall");
        const found = calls.map(({ name, input }) => `${name} ${JSON.stringify(input)}`);
        assert.deepEqual(found.toSorted(), intent.calls.map(({ name, input }) => `${name} ${input}`).toSorted(), told);
        assert.equal(new Set(calls.map(({ id }) => id)).size, calls.length, told);
      }
    });

    it(`is never whole if it is cut, broken or failed: ${api}`, async () => {
      for (let seed = 0; seed < count; seed += 1) {
        const random = new Random(`broken ${api} ${seed}`);
        const intent = intentOf(random);
        const list = events(intent, random);
        const end = list.findIndex((event) => /finish_reason":"|"response\.completed"/.test(JSON.stringify(event)));
        const at = random.below(end + 1);
        const bad = random.pick([undefined, '{"error":{"code":"server_error"}}', "Grüße {"]);
        const body = written(bad === undefined ? list.slice(0, end) : list.toSpliced(at, 0, bad), random);
        const cutAt = bad === undefined ? random.below(body.length) : body.length;
        const { parts, failure } = await readPieces(body.slice(0, cutAt), reader(), random);
        const told = `${api} ${seed}\n${body.slice(0, cutAt)}`;
        assert.ok(
          parts.every(({ type }) => type !== "finish"),
          told,
        );
        assert.ok(failure, told);
        if (bad?.startsWith("{")) assert.equal(failure.kind, "serverError", told);
        assert.ok(intent.texts.join("").startsWith(wordsIn(parts, "text")), told);
      }
    });
  }
});
