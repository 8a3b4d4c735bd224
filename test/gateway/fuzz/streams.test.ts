import assert from "node:assert/strict";
import type { AnswerReader } from "../../../src/gateway/wire/answerReader.ts";
import { ChatReader } from "../../../src/gateway/wire/chatReader.ts";
import { ResponsesReader } from "../../../src/gateway/wire/responsesReader.ts";
import { chatAnswer } from "../../support/gateway/chatAnswer.ts";
import { responsesAnswer } from "../../support/gateway/responsesAnswer.ts";
import { Random } from "../../support/random.ts";
import { answerOf, readAll } from "../wire/answerOf.ts";

const text = "Grüße, 世界 and all the others.";
const calls = [0, 1].map((at) => ({
  id: `c${at}`,
  name: "f",
  input: JSON.stringify({ at, code: "if (x) { y }\n{}" }),
}));
const content = { id: "1", created: 1, text, calls, finish: "stop", usage: undefined } as const;
const conversation = { model: "gpt-5.4", turns: [], tools: [], mustCall: false };

/** The events of a stream, of which the last two may end it. */
type Events = readonly string[];

const chat: Events = chatAnswer(content, conversation, {}).frames.map((frame) => frame.text);
const response: Events = responsesAnswer(content, conversation, {}).frames.map((frame) => frame.text);

/** A chat completion whose calls arrive in turns. */
function inTurns(): Events {
  const ofCalls = chat.filter((event) => event.includes('"tool_calls":['));
  const second = ofCalls.splice(ofCalls.length / 2);
  const others = chat.filter((event) => !event.includes('"tool_calls":['));
  return others.toSpliced(-2, 0, ...ofCalls.flatMap((event, at) => [event, second[at] ?? ""]));
}

const newChatReader = (): AnswerReader => new ChatReader();
const newResponsesReader = (): AnswerReader => new ResponsesReader();
const forms: Readonly<Record<string, readonly [events: Events, newReader: () => AnswerReader]>> = {
  "a chat completion": [chat, newChatReader],
  "a chat completion whose calls arrive in turns": [inTurns(), newChatReader],
  "a response": [response, newResponsesReader],
  "a response without names of its events": [without(response, /^event: .*\n/), newResponsesReader],
  "a response without marks": [
    without(response, /"(?:item_id|output_index|content_index|id)":(?:"[^"]*"|\d+),/g),
    newResponsesReader,
  ],
  "a response without deltas": [response.filter((event) => !/^event: .*delta\n/.test(event)), newResponsesReader],
  "a response in deltas": [response.filter((event) => !/^event: .*done\n/.test(event)), newResponsesReader],
  "a response at its end": [response.slice(-1), newResponsesReader],
};

function without(events: Events, pattern: RegExp): Events {
  return events.map((event) => event.replace(pattern, ""));
}

/** The events as they are sent, with noise between them, in reads of any length. */
function sent(events: Events, random: Random, cutAt = Infinity): readonly Buffer[] {
  const noise = [": still here", "id: 7", "event: ping\ndata: {}", "data: ping", "foo: bar"] as const;
  const noisy = events.map((event, at) => (at > 0 && random.chance(0.1) ? `${random.pick(noise)}\n\n${event}` : event));
  const bytes = Buffer.from(noisy.join("").replaceAll("\n", random.pick(["\n", "\r\n", "\r"]))).subarray(0, cutAt);
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
        const found = calls.map(({ id, name, input }) => ({
          type: "toolCall",
          id,
          name,
          input: JSON.parse(input) as unknown,
        }));
        const finish = { type: "finish", reason: "toolCalls" };
        assert.deepEqual([failure, ...parts], [undefined, { type: "text", text }, ...found, finish], `seed ${seed}`);
      }
    });

    it(`is never whole if it is cut, broken or failed: ${form}`, async () => {
      for (let seed = 0; seed < 40; seed += 1) {
        const random = new Random(`broken ${form} ${seed}`);
        const bad = random.pick([undefined, 'data: {"error":{"code":"server_error"}}\n\n', "data: Grüße {\n\n"]);
        const rest = events.slice(0, -2);
        const reads =
          bad === undefined
            ? sent(rest, random, random.below(rest.join("").length))
            : sent(events.toSpliced(random.below(events.length - 1), 0, bad), random);
        const { parts, failure } = await readAll(answerOf(reads, "text/event-stream"), newReader(), 10_000);
        assert.ok(failure && parts.every(({ type }) => type !== "finish"), `seed ${seed}`);
        const said = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
        assert.ok(text.startsWith(said), `seed ${seed}`);
      }
    });
  }
});
