import fc from "fast-check";
import assert from "node:assert/strict";
import { inspect } from "node:util";
import { GatewayError } from "../../../src/gateway/errors.ts";
import type { AnswerPart } from "../../../src/gateway/types.ts";
import { ask, keys, leavesNothing, startBench } from "../../support/faults/bench.ts";
import { allAsked, type Asked, delta, rightLink, send, streams } from "../../support/faults/faults.ts";
import { textIn } from "../../support/localClient.ts";
import { longestTurn } from "../../support/longestTurn.ts";

/** Placeholder for endlessly nested lists, which overflow the stack of `JSON.stringify` and fast-check. */
const deep = "<deep>";
const depth = 20_000;

/** Invalid values for any position: other types, properties of Object, huge, deep, a key. */
const oddValues = fc.constantFrom<unknown>(
  ...[null, true, -1, 1e308, "", "x".repeat(5_000), "\ud800", {}, [], [null], { length: 1e9 }, { toString: 1 }, deep],
  ...["constructor", "__proto__", "error", "stop", "failed", "text", { error: { code: "overloaded_error" } }],
  ...Object.values(keys).flatMap((key) => [key, `Bearer ${key}`, `${key.slice(0, 9)}…`]),
);

/** Strings, numbers, names, and lists and objects without others in them. */
const token = /"(?:[^"\\]|\\.)*"|(?<!\d)-?\d+|null|\[[^[\]{}]*\]|\{[^[\]{}]*\}/g;

/** JSON whose value or name at each position, modulo their number, is replaced, with endlessly nested lists for `deep`. */
function mutated(json: string, changes: readonly (readonly [at: number, value: unknown])[]): string {
  let changed = json;
  for (const [at, value] of changes) {
    const tokens = [...changed.matchAll(token)];
    const found = tokens[at % tokens.length];
    if (found === undefined) break;
    const rest = changed.slice(found.index + found[0].length);
    changed = changed.slice(0, found.index) + JSON.stringify(value) + rest;
  }
  return changed.replaceAll(JSON.stringify(deep), `${"[".repeat(depth)}${"]".repeat(depth)}`);
}

const words = ["<0>", "<1>", "<2>", "<3>"];
const text = words.join("");
const call = { type: "function_call", id: "f1", call_id: "c1", name: "add", arguments: '{"a":1}' };
const message = { type: "message", id: "m1", role: "assistant", content: [{ type: "output_text", text }] };
const named = { item_id: "m1", output_index: 0, content_index: 0 };
const response = { status: "completed", output: [message, call], usage: { input_tokens: 1, output_tokens: 2 } };
const chatCall = { index: 0, id: "c1", type: "function", function: { name: "add", arguments: '{"a":1}' } };

/** Good answers to every operation, as the values that are sent one by one. */
const good: Readonly<Record<Asked, readonly unknown[]>> = {
  chatJson: [{ choices: [{ message: { content: text, tool_calls: [chatCall] }, finish_reason: "tool_calls" }] }],
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
    { type: "response.output_item.done", output_index: 0, item: message },
    { type: "response.output_item.done", output_index: 1, item: call },
    { type: "response.completed", response },
  ],
  image: [{ created: 1, data: [{ url: rightLink }], usage: { input_tokens: 1 } }],
};

/** The body of a good answer, after a change of each value. */
function written(asked: Asked, change: (json: string) => string): string {
  const values = good[asked].map((value) => change(JSON.stringify(value)));
  return streams.some((name) => name === asked) ? values.map((value) => `data: ${value}\n\n`).join("") : values.join();
}

describe("a random answer", () => {
  leavesNothing();

  it("fails as an error of the client or is read, repeats nothing, reveals no key, blocks nothing, orders one image", async () => {
    await using bench = await startBench();
    using turns = longestTurn();
    const random = fc.record({
      asked: fc.constantFrom(...allAsked),
      type: fc.constantFrom("application/json", "text/event-stream", "text/html", ""),
      changes: fc.array(fc.tuple(fc.nat(), oddValues), { maxLength: 4 }),
      inserted: fc.option(fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 3 }))),
      cut: fc.option(fc.nat()),
    });
    const property = fc.asyncProperty(random, async ({ asked, type, changes, inserted, cut }) => {
      let body = Buffer.from(written(asked, (json) => mutated(json, changes)));
      if (inserted) {
        const at = inserted[0] % body.length;
        body = Buffer.concat([body.subarray(0, at), inserted[1], body.subarray(at)]);
      }
      if (cut !== null) body = body.subarray(0, cut % body.length);
      bench.always(send(200, type, body, `x-request-id: req_${keys.codex}_${keys.image}\r\n`));
      const before = bench.primary.posts + bench.backup.posts;
      const parts: AnswerPart[] = [];
      const error: unknown = await ask(bench.gateway, asked, undefined, parts).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      bench.clock.advance(400_000);

      assert.ok(error === undefined || error instanceof GatewayError);
      const told = [error, bench.reports.splice(0), parts.filter(({ type }) => type === "start")];
      const inspected = inspect(told, { depth: null, showHidden: true, maxStringLength: null });
      assert.doesNotMatch(inspected, /codex-0|image-0|sk-codex|sk-image/i);
      const posts = bench.primary.posts + bench.backup.posts - before;
      assert.ok(posts <= 4, `${posts} requests`);
      // An error inside may say that no image was made.
      const mayRepeat = asked !== "image" || changes.some(([, value]) => JSON.stringify(value ?? 0).includes("error"));
      assert.ok(posts === 1 || mayRepeat, `${posts} orders`);
      const said = [...textIn(parts).matchAll(/<\d>/g)].map(([word]) => word);
      assert.deepEqual(said, [...new Set(said)].toSorted(), "each word once, in the order in which it was sent");
      if (asked !== "image" && error === undefined) assert.equal(parts.at(-1)?.type, "finish");
    });
    // The number of answers depends on the machine.
    await fc.assert(property, { seed: 5, numRuns: 600, interruptAfterTimeLimit: 2_500 });
    assert.ok(turns.longest < 200, `${turns.longest} ms of processor time in one turn, including the server`);
  });
});
