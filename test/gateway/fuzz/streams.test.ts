import assert from "node:assert/strict";
import type { AnswerReader } from "../../../src/gateway/wire/answerReader.ts";
import { ChatReader } from "../../../src/gateway/wire/chatReader.ts";
import { ResponsesReader } from "../../../src/gateway/wire/responsesReader.ts";
import { Random } from "../../support/random.ts";
import { answerOf, readAll } from "../wire/answerOf.ts";

type Events = readonly (object | string)[];

const thought = "hm, so: ";
const text = "Grüße, 世界 and all the others.";
const calls = [0, 1].map((at) => ({
  id: `c${at}`,
  name: "f",
  input: JSON.stringify({ at, code: "if (x) { y }\n{}" }),
}));

/** The parts of each answer. */
const whole = [
  { type: "reasoning", text: thought },
  { type: "text", text },
  ...calls.map(({ id, name, input }) => ({ type: "toolCall", id, name, input: JSON.parse(input) as unknown })),
];

const pieces = (whole: string): readonly string[] => whole.match(/[^]{1,4}/gu) ?? [];

/** A chat completion, repeated whole at its end or not, whose calls arrive in turns if they have an index. */
function chat(marks: "index" | "id", isRepeated: boolean): Events {
  const chunk = (fields: object, finish_reason: string | null = null): object => ({
    choices: [{ index: 0, ...fields, finish_reason }],
  });
  const callPieces = calls.flatMap(({ id, name, input }, index) =>
    pieces(input).map((piece, part) => ({
      index: marks === "index" ? index : undefined,
      id: marks === "id" || part === 0 ? id : undefined,
      function: { name: part === 0 ? name : undefined, arguments: piece },
      part,
    })),
  );
  const inTurns = marks === "index" ? callPieces.toSorted((one, other) => one.part - other.part) : callPieces;
  const tool_calls = calls.map(({ id, name, input }) => ({ id, function: { name, arguments: input } }));
  const message = { content: text, reasoning_content: thought, tool_calls };
  return [
    ...pieces(thought).map((piece) => chunk({ delta: { reasoning_content: piece } })),
    ...pieces(text).map((piece) => chunk({ delta: { content: piece } })),
    ...inTurns.map((call) => chunk({ delta: { tool_calls: [call] } })),
    chunk(isRepeated ? { message } : { delta: {} }, "tool_calls"),
  ];
}

/** A response whose items come in these kinds of events, with these marks. */
function response(kinds: "deltas" | "items" | "all" | "end", marks: "index" | "id" | "none"): Events {
  const items = [
    { kind: "reasoning_summary_text", said: thought, item: { type: "reasoning", summary: [{ text: thought }] } },
    { kind: "output_text", said: text, item: { type: "message", content: [{ type: "output_text", text }] } },
    ...calls.map(({ id, name, input }) => {
      const item = { type: "function_call", call_id: id, name, arguments: input };
      return { kind: "function_call_arguments", said: input, item };
    }),
  ];
  const events = items.flatMap(({ kind, said, item }, at) => {
    const id = marks === "id" ? `i${at}` : undefined;
    const output_index = marks === "index" ? at : undefined;
    const event = (type: string, fields: object): object => ({
      ...{ type: `response.${type}`, item_id: id, output_index },
      ...fields,
    });
    return [
      ...("arguments" in item ? [event("output_item.added", { item: { ...item, id, arguments: "" } })] : []),
      ...(kinds === "deltas" || kinds === "all" ? pieces(said).map((delta) => event(`${kind}.delta`, { delta })) : []),
      ...(kinds === "all" ? [event(`${kind}.done`, { text: said, arguments: said })] : []),
      ...(kinds === "items" || kinds === "all" ? [event("output_item.done", { item: { ...item, id } })] : []),
    ];
  });
  const output = kinds === "end" || kinds === "items" ? items.map(({ item }) => item) : [];
  return [...events, { type: "response.completed", response: { status: "completed", output } }];
}

const newChatReader = (): AnswerReader => new ChatReader();
const newResponsesReader = (): AnswerReader => new ResponsesReader();
const forms: Readonly<Record<string, readonly [events: Events, newReader: () => AnswerReader]>> = {
  "a chat completion": [chat("index", false), newChatReader],
  "a chat completion by ids, that is repeated": [chat("id", true), newChatReader],
  "a chat completion at its end": [chat("index", true).slice(-1), newChatReader],
  "a response in all events": [response("all", "index"), newResponsesReader],
  "a response in all events, by id": [response("all", "id"), newResponsesReader],
  "a response in all events, without marks": [response("all", "none"), newResponsesReader],
  "a response in deltas": [response("deltas", "index"), newResponsesReader],
  "a response in items": [response("items", "id"), newResponsesReader],
  "a response at its end": [response("end", "none"), newResponsesReader],
};

/** The answer as it is sent, with noise between its events, in reads of any length. */
function sent(events: Events, random: Random, cutAt = Infinity): readonly Buffer[] {
  const noise = [": still here", "id: 7", "event: ping\ndata: {}", "data: ping", "foo: bar"] as const;
  const blocks = events.flatMap((event, at) => {
    const block = `data: ${typeof event === "string" ? event : JSON.stringify(event)}`;
    return at > 0 && random.chance(0.1) ? [random.pick(noise), block] : [block];
  });
  const newline = random.pick(["\n", "\r\n", "\r"]);
  const stream = blocks.map((block) => block.replaceAll("\n", newline) + newline + newline).join("");
  const bytes = Buffer.from(stream).subarray(0, cutAt);
  const reads: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += reads.at(-1)?.length ?? 0)
    reads.push(bytes.subarray(at, at + 1 + random.below(random.chance(0.5) ? 2_000 : 50)));
  return reads;
}

describe("a stream in any form of gateways", () => {
  for (const [form, [events, newReader]] of Object.entries(forms)) {
    it(`yields each word and call once: ${form}`, async () => {
      for (let seed = 0; seed < 20; seed += 1) {
        const reads = sent(events, new Random(`${form} ${seed}`));
        const { parts, failure } = await readAll(answerOf(reads, "text/event-stream"), newReader(), 10_000);
        assert.equal(failure, undefined, `seed ${seed}`);
        const found = parts.filter(({ type }) => type !== "finish" && type !== "items");
        assert.deepEqual(found, whole, `seed ${seed}`);
      }
    });

    it(`is never whole if it is cut, broken or failed: ${form}`, async () => {
      for (let seed = 0; seed < 40; seed += 1) {
        const random = new Random(`broken ${form} ${seed}`);
        const bad = random.pick([undefined, '{"error":{"code":"server_error"}}', "Grüße {"]);
        const rest = events.slice(0, -1);
        const reads =
          bad === undefined
            ? sent(rest, random, random.below(JSON.stringify(rest).length))
            : sent(events.toSpliced(random.below(events.length), 0, bad), random);
        const { parts, failure } = await readAll(answerOf(reads, "text/event-stream"), newReader(), 10_000);
        assert.ok(failure && parts.every(({ type }) => type !== "finish"), `seed ${seed}`);
        if (bad?.startsWith("{")) assert.equal(failure.kind, "serverError", `seed ${seed}`);
        const said = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
        assert.ok(text.startsWith(said), `seed ${seed}`);
      }
    });
  }
});
