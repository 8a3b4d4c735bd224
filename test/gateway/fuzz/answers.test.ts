import fc from "fast-check";
import assert from "node:assert/strict";
import { GatewayError } from "../../../src/gateway/errors.ts";
import type { AnswerPart } from "../../../src/gateway/types.ts";
import { ask, type Bench, keys, leavesNothing, startBench } from "../../support/faults/bench.ts";
import { allAsked, type Asked, delta, rightLink, streams } from "../../support/faults/faults.ts";
import type { Fault } from "../../support/faults/faultServer.ts";
import { textIn } from "../../support/localClient.ts";
import { longestTurn } from "../../support/longestTurn.ts";

/** Placeholder for endlessly nested lists, which overflow the stack of `JSON.stringify` and fast-check. */
const deep = "<deep>";
const depth = 20_000;

/** Invalid values for any position: other types, properties of Object, huge, deep, a key. */
const oddValues = fc.constantFrom<unknown>(
  ...[null, true, false, 0, -1, 1e308, 2 ** 53, "", " ", "x".repeat(5_000), "\ud800", "\u0000", {}, [], [null], [[]]],
  ...["constructor", "__proto__", "toString", "hasOwnProperty", "error", "stop", "length", "failed", "in_progress"],
  ...["type", "text", "delta", { error: { code: "overloaded_error" } }, { length: 1e9 }, { toString: 1, valueOf: 1 }],
  ...[{ type: "text", text: 1 }, deep],
  ...Object.values(keys).flatMap((key) => [key, `req_${key}`, `Bearer ${key}`, `${key.slice(0, 9)}…`]),
);

/** One change to JSON: the value or the name at a position, modulo their number, is replaced, or wrapped in a list. */
interface Mutation {
  readonly at: number;
  readonly value: unknown;
  readonly isWrapped: boolean;
}

/** Changes that do not duplicate or add text. */
const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.record({ at: fc.nat(), value: oddValues, isWrapped: fc.boolean() }),
  { maxLength: 4 },
);

/** Strings, numbers, names, and lists and objects without others in them. */
const token = /"(?:[^"\\]|\\.)*"|(?<!\d)-?\d+|null|\[[^[\]{}]*\]|\{[^[\]{}]*\}/g;

/** A changed copy of some JSON, with endlessly nested lists in place of the placeholder. */
function mutated(json: string, changes: readonly Mutation[]): string {
  let changed = json;
  for (const { at, value, isWrapped } of changes) {
    const tokens = [...changed.matchAll(token)];
    const found = tokens[at % tokens.length];
    if (found === undefined) continue;
    const rest = changed.slice(found.index + found[0].length);
    changed = changed.slice(0, found.index) + (isWrapped ? `[${found[0]}]` : JSON.stringify(value)) + rest;
  }
  return changed.replaceAll(JSON.stringify(deep), `${"[".repeat(depth)}${"]".repeat(depth)}`);
}

/** Time for all answers, in milliseconds. The number of answers depends on the machine. */
const timeLimit = 2_500;

/** Longest turn of the event loop, in milliseconds of processor time, including the server. */
const turnLimit = 200;

const words = ["<0>", "<1>", "<2>", "<3>"];
const text = words.join("");
const call = { type: "function_call", id: "f1", call_id: "c1", name: "add", arguments: '{"a":1}' };
const message = { type: "message", id: "m1", role: "assistant", content: [{ type: "output_text", text }] };
const named = { item_id: "m1", output_index: 0, content_index: 0 };
const response = {
  id: "r1",
  status: "completed",
  output: [message, call],
  usage: { input_tokens: 1, output_tokens: 2 },
};
const chatCall = { index: 0, id: "c1", type: "function", function: { name: "add", arguments: '{"a":1}' } };

/** Good answers to every operation, as the values that are sent one by one. */
const good: Readonly<Record<Asked, readonly unknown[]>> = {
  chatJson: [
    { choices: [{ index: 0, message: { content: text, tool_calls: [chatCall] }, finish_reason: "tool_calls" }] },
  ],
  chatStream: [
    ...words.map((word) => delta(word)),
    { choices: [{ index: 0, delta: { tool_calls: [chatCall] }, finish_reason: null }] },
    delta("", "tool_calls"),
    { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } },
  ],
  responsesJson: [response],
  responsesStream: [
    { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
    ...words.map((word) => ({ type: "response.output_text.delta", ...named, delta: word })),
    { type: "response.output_text.done", ...named, text },
    { type: "response.content_part.done", ...named, part: message.content[0] },
    { type: "response.output_item.done", output_index: 0, item: message },
    { type: "response.output_item.done", output_index: 1, item: call },
    { type: "response.completed", response },
  ],
  image: [{ created: 1, data: [{ url: rightLink }], usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 } }],
};

const types = fc.constantFrom("application/json", "text/event-stream", "text/html", "");
const isStream = (asked: Asked): boolean => streams.some((name) => name === asked);

/** The body of a good answer, after a change of each value. */
function written(asked: Asked, change: (json: string) => string = (json) => json): string {
  const values = good[asked].map((value) => change(JSON.stringify(value)));
  return isStream(asked) ? values.map((value) => `data: ${value}\n\n`).join("") : (values[0] ?? "");
}

/** Sends a body, with a request id that quotes the key. */
function sends(type: string, body: Buffer): Fault {
  return ({ socket }) => {
    const head = `content-type: ${type}\r\nx-request-id: req_${keys.codex}_${keys.image}\r\nconnection: close\r\n`;
    socket.write(`HTTP/1.1 200 X\r\n${head}content-length: ${body.length}\r\n\r\n`);
    socket.end(body);
  };
}

interface Outcome {
  readonly error: GatewayError | undefined;
  readonly text: string;
  readonly parts: readonly AnswerPart[];
  readonly posts: number;
}

/** Asks once, and asserts that only errors of the client are thrown, few requests are made, and no key is revealed. */
async function outcomeOf(bench: Bench, asked: Asked, fault: Fault): Promise<Outcome> {
  bench.primary.always(fault);
  bench.backup.always(fault);
  const before = bench.primary.posts + bench.backup.posts;
  const parts: AnswerPart[] = [];
  const error = await ask(bench.gateway, asked, undefined, parts).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  bench.clock.advance(400_000);
  const posts = bench.primary.posts + bench.backup.posts - before;
  if (error !== undefined && !(error instanceof GatewayError)) throw error as Error;
  assert.ok(posts <= 4, `${posts} requests`);
  const told = [error, bench.reports.splice(0), parts.filter(({ type }) => type === "start")];
  for (const one of stringsIn(told)) assert.doesNotMatch(one, /codex-0|image-0|sk-codex|sk-image/i);
  return { error, text: textIn(parts), parts, posts };
}

/** Every string in a value, including non-enumerable ones such as a stack. */
function stringsIn(value: unknown, seen = new Set<unknown>()): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || seen.has(value)) return [];
  seen.add(value);
  return Reflect.ownKeys(value).flatMap((name) => stringsIn(Reflect.get(value, name), seen));
}

/** Whether a text has every word at most once, in the order in which they were sent. */
function isInOrder(said: string): boolean {
  const found = [...said.matchAll(/<\d>/g)].map(([word]) => word);
  return found.every((word, index) => index === 0 || (found[index - 1] ?? "") < word);
}

describe("a random answer", () => {
  leavesNothing();

  it("fails as an error of the client or is read, repeats nothing, reveals no key, blocks nothing, orders one image", async () => {
    await using bench = await startBench();
    using turns = longestTurn();
    const bytes = fc.array(fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 3 })), { maxLength: 2 });
    const random = fc.record({ asked: fc.constantFrom(...allAsked), type: types, mutations, bytes, cut: fc.nat() });
    const property = fc.asyncProperty(random, async ({ asked, type, mutations, bytes, cut }) => {
      let body = Buffer.from(written(asked, (json) => mutated(json, mutations)));
      for (const [at, inserted] of bytes) {
        const place = at % (body.length + 1);
        body = Buffer.concat([body.subarray(0, place), inserted, body.subarray(place + inserted.length)]);
      }
      const isCut = cut % 3 === 0;
      if (isCut) body = body.subarray(0, cut % body.length);
      const { text: said, parts, error, posts } = await outcomeOf(bench, asked, sends(type, body));
      if (asked === "image") {
        // An error inside may say that no image was made.
        if (!mutations.some(({ value }) => JSON.stringify(value ?? 0).includes("error"))) assert.equal(posts, 1);
        return;
      }
      assert.ok(isInOrder(said), said);
      if (error === undefined) assert.equal(parts.at(-1)?.type, "finish");
      for (const part of parts)
        if (part.type === "toolCall" && mutations.length + bytes.length === 0) assert.deepEqual(part.input, { a: 1 });
    });
    await fc.assert(property, { seed: 5, numRuns: 600, interruptAfterTimeLimit: timeLimit });
    assert.ok(turns.longest < turnLimit, `${turns.longest} ms`);
  });
});
