import assert from "node:assert/strict";
import fc from "fast-check";
import type { AnswerPart } from "../../../src/gateway/types.ts";
import { delta, events, question, right } from "../../support/faults/answers.ts";
import { startBench } from "../../support/faults/bench.ts";
import { chunk } from "../../support/faults/faults.ts";
import type { Fault } from "../../support/faults/faultServer.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import { partsOf, textIn } from "../../support/localClient.ts";

/** Sends a body as chunks that end at these places, each of them on its own. */
function inReads(body: Buffer, cuts: readonly number[]): Fault {
  return ({ socket, done }) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n");
    const places = [...new Set(cuts.map((cut) => cut % body.length)), body.length].sort((one, two) => one - two);
    let start = 0;
    const next = (): void => {
      const place = places.shift();
      if (place === undefined) {
        socket.write("0\r\n\r\n");
        done();
        return;
      }
      const piece = body.subarray(start, place).toString("latin1");
      start = place;
      if (piece === "") next();
      else socket.write(latin1Chunk(piece), "latin1", () => setImmediate(next));
    };
    next();
  };
}

function latin1Chunk(piece: string): string {
  return chunk("x".repeat(piece.length)).replace(/x+(?=\r\n$)/, () => piece);
}

/** How a stream is written down: line ends, the space after the colon, what stands between events. */
const writing = fc.record({
  lineEnd: fc.constantFrom("\n", "\r\n", "\r"),
  colon: fc.constantFrom("data: ", "data:"),
  between: fc.constantFrom("", ": comment\n\n", "event: x\nid: 1\n", "retry: 5\nunknown\n"),
  bom: fc.constantFrom("", "\uFEFF"),
});

type Writing = typeof writing extends fc.Arbitrary<infer T> ? T : never;

function written(pieces: readonly string[], { lineEnd, colon, between, bom }: Writing): Buffer {
  const text = pieces.map((piece) => between + piece.replaceAll("data: ", colon)).join("");
  return Buffer.from(bom + text.replaceAll("\n", lineEnd));
}

const words = fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 });
const toolInput = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 });

function chatPieces(texts: readonly string[], input: object): readonly string[] {
  const call = JSON.stringify(input);
  const fragment = (value: object): object => ({ choices: [{ delta: { tool_calls: [{ index: 0, ...value }] } }] });
  const middle = Math.floor(call.length / 2);
  return events([
    ...texts.map((text) => delta(text)),
    fragment({ id: "a", function: { name: "f", arguments: "" } }),
    fragment({ function: { arguments: call.slice(0, middle) } }),
    fragment({ function: { arguments: call.slice(middle) } }),
    delta("", "tool_calls"),
    "[DONE]",
  ]).pieces;
}

function responsesPieces(texts: readonly string[], input: object): readonly string[] {
  const item = { type: "function_call", call_id: "a", name: "f", arguments: JSON.stringify(input) };
  return events([
    ...texts.map((text) => ({ type: "response.output_text.delta", delta: text })),
    { type: "response.output_item.done", item },
    { type: "response.completed", response: { output: [item] } },
  ]).pieces;
}

/** Parts without the entry's data, neighboring texts as one. */
function essence(parts: readonly AnswerPart[]): unknown {
  return { text: textIn(parts), rest: parts.filter(({ type }) => type !== "text" && type !== "start") };
}

describe("any split of a stream into reads", () => {
  leavesNothing();

  for (const [api, piecesOf] of [
    ["chatCompletions", chatPieces],
    ["responses", responsesPieces],
  ] as const) {
    it(`gives the same parts: ${api}`, async () => {
      await using bench = await startBench(right("chatStream"), { hasBackup: false });
      const signal = new AbortController().signal;
      const cuts = fc.array(fc.nat(5_000), { maxLength: 60 });
      const property = fc.asyncProperty(words, toolInput, writing, cuts, async (texts, input, how, places) => {
        bench.primary.always(inReads(written(piecesOf(texts, input), how), places));
        const expected = {
          text: texts.join(""),
          rest: [
            { type: "toolCall", id: "a", name: "f", input: JSON.parse(JSON.stringify(input)) as unknown },
            { type: "finish", reason: "toolCalls" },
          ],
        };
        assert.deepEqual(essence(await partsOf(bench.gateway.ask({ ...question, api }, signal))), expected);
      });
      await fc.assert(property, { numRuns: 100, seed: 7 });
    });
  }
});
