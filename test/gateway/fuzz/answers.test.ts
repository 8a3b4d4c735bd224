import fc from "fast-check";
import assert from "node:assert/strict";
import { inspect } from "node:util";
import { GatewayError } from "../../../src/gateway/errors.ts";
import type { AnswerPart } from "../../../src/gateway/types.ts";
import { ask, keys, leavesNothing, startBench } from "../../support/faults/bench.ts";
import { allAsked, type Asked, rightLink, send } from "../../support/faults/faults.ts";
import { chatAnswer } from "../../support/gateway/chatAnswer.ts";
import { responsesAnswer } from "../../support/gateway/responsesAnswer.ts";
import type { AnswerContent } from "../../support/gateway/textHandler.ts";
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

const content: AnswerContent = {
  ...{ id: "1", created: 1, text: "<0> <1> <2> <3>", finish: "stop", usage: { input: 1, output: 2 } },
  calls: [{ id: "c1", name: "add", input: '{"a":1}' }],
};
const conversation = { model: "gpt-5.4", turns: [], tools: [], mustCall: false };
const chat = chatAnswer(content, conversation, { stream_options: { include_usage: true } });
const response = responsesAnswer(content, conversation, {});

/** Good answers to every operation, in the pieces that are changed one by one. */
const good: Readonly<Record<Asked, readonly string[]>> = {
  chatJson: [JSON.stringify(chat.json)],
  chatStream: chat.frames.map(({ text }) => text),
  responsesJson: [JSON.stringify(response.json)],
  responsesStream: response.frames.map(({ text }) => text),
  image: [JSON.stringify({ created: 1, data: [{ url: rightLink }], usage: { input_tokens: 1 } })],
};

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
      let body = Buffer.from(good[asked].map((piece) => mutated(piece, changes)).join(""));
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
