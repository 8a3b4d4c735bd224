import fc from "fast-check";
import assert from "node:assert/strict";
import { GatewayError } from "../../../src/gateway/errors.ts";
import type { AnswerPart } from "../../../src/gateway/types.ts";
import { ask, type Bench, keys, leavesNothing, startBench } from "../../support/faults/bench.ts";
import { type Asked, delta, rightLink, streams, texts } from "../../support/faults/faults.ts";
import type { Fault } from "../../support/faults/faultServer.ts";
import { textIn } from "../../support/localClient.ts";
import { longestTurn } from "../../support/longestTurn.ts";

/** One change to a JSON value: the position, and the new value. */
interface Mutation {
  /** The position, as a number modulo the number of positions. */
  readonly at: number;
  readonly change: "delete" | "replace" | "wrap" | "rename";
  readonly value: unknown;
  readonly name: string;
}

/** Placeholder for endlessly nested lists, which overflow the stack of `JSON.stringify` and fast-check. */
const deep = "<deep>";
const depth = 20_000;

/** Invalid values for any position: other types, names of Object's own, huge, deep, a key. */
const oddValues = fc.constantFrom<unknown>(
  ...[null, true, false, 0, -1, 1e308, 2 ** 53, "", " ", "x".repeat(5_000), "\ud800", "\u0000", {}, [], [null], [[]]],
  ...["constructor", "__proto__", "toString", "hasOwnProperty", "error", "stop", "length", "failed", "in_progress"],
  ...[{ error: { code: "overloaded_error" } }, { length: 1e9 }, { toString: 1, valueOf: 1 }, { type: "text", text: 1 }],
  deep,
  ...Object.values(keys).flatMap((key) => [key, `req_${key}`, `Bearer ${key}`, `${key.slice(0, 9)}…`]),
);

const oddNames = fc.constantFrom("__proto__", "constructor", "toString", "error", "type", "text", "delta", keys.codex);

/** Changes that do not duplicate or add text. */
const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.record({
    at: fc.nat(),
    change: fc.constantFrom("delete", "replace", "wrap", "rename"),
    value: oddValues,
    name: oddNames,
  }),
  { maxLength: 4 },
);

type Place = readonly [holder: Record<string, unknown>, name: string];

/** A changed copy of a JSON value. */
function mutated<T extends object>(value: T, changes: readonly Mutation[]): T {
  const copy = structuredClone(value);
  for (const { at, change, value: odd, name } of changes) {
    const places = placesIn(copy);
    const place = places[at % places.length];
    if (place === undefined) continue;
    const [holder, key] = place;
    const old = holder[key];
    if (change === "replace") holder[key] = odd;
    else if (change === "wrap") holder[key] = at % 2 === 0 ? [old] : { value: old };
    else if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else Reflect.deleteProperty(holder, key);
    if (change === "rename" && !Array.isArray(holder)) Object.defineProperty(holder, name, { ...own, value: old });
  }
  return copy;
}

const own = { configurable: true, enumerable: true, writable: true };

/** Every position in a value, except inside endlessly nested lists. */
function placesIn(value: object, level = 0): readonly Place[] {
  if (level > 20) return [];
  return Object.entries(value).flatMap(([name, inner]): readonly Place[] => [
    [value as Record<string, unknown>, name],
    ...(typeof inner === "object" && inner !== null ? placesIn(inner as object, level + 1) : []),
  ]);
}

/** The JSON of a value, with endlessly nested lists in place of the placeholder. */
function deepJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(JSON.stringify(deep), `${"[".repeat(depth)}${"]".repeat(depth)}`);
}

/** Time for each property in milliseconds; how many answers are tried in it depends on the machine. */
const timeLimit = 2_500;

/** The longest that one turn of the event loop may take, in milliseconds of processor time: the server's share included. */
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

function written(asked: Asked, values: readonly unknown[]): string {
  if (!isStream(asked)) return deepJson(values[0] ?? null);
  return values.map((value) => `data: ${deepJson(value)}\n\n`).join("");
}

/** Sends a body to its last byte, and with it a request id that quotes the key. */
function sends(type: string, body: Buffer, isWhole = true): Fault {
  return ({ socket }) => {
    const head = `content-type: ${type}\r\nx-request-id: req_${keys.codex}_${keys.image}\r\nconnection: close\r\n`;
    socket.write(`HTTP/1.1 200 X\r\n${head}content-length: ${body.length + (isWhole ? 0 : 1)}\r\n\r\n`);
    socket.end(body);
  };
}

interface Outcome {
  readonly error: GatewayError | undefined;
  readonly text: string;
  readonly parts: readonly AnswerPart[];
  readonly posts: number;
}

/** Asks once. Whatever came: only errors of the client are thrown, few requests are made, and no key is told. */
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
  const told = [
    ...stringsIn(error),
    ...stringsIn(bench.reports.splice(0)),
    ...stringsIn(parts.filter(({ type }) => type === "start")),
  ];
  for (const one of told) assert.doesNotMatch(one, /codex-0|image-0|sk-codex|sk-image/i);
  return { error, text: textIn(parts), parts, posts };
}

/** Every string in what is told, non-enumerable ones such as a stack included. */
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

async function assertAlways<T>(property: fc.IAsyncProperty<T>): Promise<void> {
  await fc.assert(property, { seed: 5, numRuns: 400, interruptAfterTimeLimit: timeLimit });
}

describe("an answer that nobody foresaw", () => {
  leavesNothing();

  it("fails as an error of the client or is read, doubles nothing, tells no key and holds nothing up", async () => {
    await using bench = await startBench();
    using turns = longestTurn();
    const bytes = fc.array(fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 3 })), { maxLength: 2 });
    const property = fc.asyncProperty(
      fc.constantFrom(...texts),
      types,
      mutations,
      bytes,
      async (asked, type, changes, splices) => {
        let body = Buffer.from(written(asked, mutated(good[asked], changes)));
        for (const [at, bytesAt] of splices) {
          const place = at % (body.length + 1);
          body = Buffer.concat([body.subarray(0, place), bytesAt, body.subarray(place + bytesAt.length)]);
        }
        const { text: said, parts, error } = await outcomeOf(bench, asked, sends(type, body));
        assert.ok(isInOrder(said), said);
        if (error === undefined) assert.equal(parts.at(-1)?.type, "finish");
        for (const part of parts) {
          if (part.type === "toolCall" && changes.length + splices.length === 0) assert.deepEqual(part.input, { a: 1 });
        }
      },
    );
    await assertAlways(property);
    assert.ok(turns.longest < turnLimit, `${turns.longest} ms`);
  });

  it("never becomes a call without arguments where its arguments are broken", async () => {
    await using bench = await startBench();
    const property = fc.asyncProperty(fc.constantFrom(...texts), fc.nat(6), fc.nat(), async (asked, length, odd) => {
      const cut: unknown = odd % 3 === 0 ? [call.arguments] : odd % 3 === 1 ? odd : call.arguments.slice(0, length);
      const broken = JSON.stringify(good[asked]).replaceAll(JSON.stringify(call.arguments), JSON.stringify(cut));
      fc.pre(cut !== "");
      const { parts } = await outcomeOf(
        bench,
        asked,
        sends("", Buffer.from(written(asked, JSON.parse(broken) as unknown[]))),
      );
      assert.ok(parts.every(({ type }) => type !== "toolCall"));
    });
    await assertAlways(property);
  });

  it("says all that came of it, and is whole only if all came, wherever it is cut", async () => {
    await using bench = await startBench();
    const property = fc.asyncProperty(
      fc.constantFrom(...streams),
      fc.nat(),
      fc.boolean(),
      async (asked, at, isClean) => {
        const body = Buffer.from(written(asked, good[asked]));
        const length = at % body.length;
        const sent = body.subarray(0, length).toString();
        const { error, text: said } = await outcomeOf(
          bench,
          asked,
          sends("text/event-stream", body.subarray(0, length), isClean),
        );
        const events = sent.slice(0, sent.lastIndexOf("\n\n") + 2);
        const came = words.filter((word) => events.includes(word)).join("");
        assert.ok(said === came || (isClean && said.startsWith(came)), `${said} of ${came}`);
        const isOver = /"finish_reason":"tool_calls"|"response.completed"/.test(events);
        if (isOver) assert.equal(error, undefined);
        else if (error === undefined)
          assert.ok(isClean && /"finish_reason":"tool_calls"|"response.completed"/.test(sent));
        else assert.equal(error.kind, came === "" ? error.kind : "interrupted");
      },
    );
    await assertAlways(property);
  });

  it("orders one image only, whatever comes back", async () => {
    await using bench = await startBench();
    const property = fc.asyncProperty(types, mutations, fc.nat(), async (type, changes, at) => {
      const named = changes.filter(
        ({ value, name }) => name !== "error" && !JSON.stringify(value ?? 0).includes("error"),
      );
      const body = Buffer.from(written("image", mutated(good.image, named)));
      const cut = at % 3 === 0 ? body.subarray(0, at % body.length) : body;
      const { posts } = await outcomeOf(bench, "image", sends(type, cut));
      assert.equal(posts, 1);
    });
    await assertAlways(property);
  });
});
