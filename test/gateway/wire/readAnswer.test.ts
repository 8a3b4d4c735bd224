import assert from "node:assert/strict";
import type { GatewayErrorKind } from "../../../src/gateway/errors.ts";
import { ChatReader } from "../../../src/gateway/wire/chatReader.ts";
import type { ContentPart } from "../../../src/gateway/wire/answerState.ts";
import { answerOf, type End, readAll } from "./answerOf.ts";
import { longestTurn } from "../../support/longestTurn.ts";

const chunk = (content: string, finish_reason: string | null = null) =>
  JSON.stringify({ choices: [{ delta: { content }, finish_reason }] });
const events = (...data: readonly string[]): string => data.map((one) => `data: ${one}\n\n`).join("");
const a = events(chunk("ä"));
const b = events(chunk("世", "stop"));
const done = events("[DONE]");
const byteByByte = (stream: string): readonly Buffer[] =>
  Array.from(Buffer.from(stream), (byte) => Buffer.from([byte]));
const stop = { type: "finish", reason: "stop" };
const text = (content: string) => [{ type: "text", text: content }];
const error = JSON.stringify({ error: { message: "Busy.", code: "overloaded_error" } });

describe("a stream of events", () => {
  const cases: Readonly<Record<string, string>> = {
    "with line feeds": a + b + done,
    "with carriage returns": (a + b + done).replaceAll("\n", "\r"),
    "with both": (a + b + done).replaceAll("\n", "\r\n"),
    "with a BOM": `\uFEFF${a}${b}`,
    "with comments and other fields": `: hi\nid: 1\nretry: 5\nfoo: x\nevent: chunk\n${a}: \n\n${b}`,
    "with empty events": `data:\n\n${a}data: \n\n${b}`,
    "with blanks and quotes around [DONE]": `${a + events(chunk("世"))}data:  "[DONE]" \n\n`,
    "with events that keep it alive": `event: ping\ndata: now\n\n${a}data: ping\n\nevent: x\ndata: {"a":1}\n\n${b}`,
    "with chunks without choices": events('{"id":1}', '{"choices":[]}') + a + events("{}") + b,
    "with a finish reason in every chunk": events(chunk("ä", "stop")) + b + done,
    "with garbage after its end": a + events(chunk("世"), chunk("", "stop"), "bye"),
    "with empty errors": events(`{"error":{},${chunk("ä").slice(1)}`, `{"error":"",${chunk("世", "stop").slice(1)}`),
    "with events without content": a + events("null", "[]", '{"type":"ping"}', chunk("世")) + done,
    "without [DONE]": a + b,
    "whose last event lacks its end": (a + b).trimEnd(),
    "that goes on after [DONE]": a + b + done + events(error),
  };
  for (const [what, stream] of Object.entries(cases)) {
    it(`is read ${what}`, async () => {
      for (const type of ["text/event-stream; charset=utf-8", "application/json", ""]) {
        for (const reads of [[stream], byteByByte(stream)]) {
          assert.deepEqual(await read(reads, type), { parts: [...text("ä世"), stop], failure: undefined });
        }
      }
    });
  }

  /** Streams with a fault, some after the text "ä", and the resulting kind. */
  const broken: Readonly<Record<string, readonly [stream: string, kind: GatewayErrorKind]>> = {
    nothing: ["", "empty"],
    "no content": [events(chunk("", "stop")) + done, "empty"],
    "half an event at the end": [`${a}data: {"choi`, "connectionLost"],
    "an error after some text": [a + events(error), "overloaded"],
    "an error by its event": [`event: error\n${events('{"message":"Busy.","code":"overloaded"}')}`, "overloaded"],
    "an error that is a word": [`${a}event: error\ndata: server_is_overloaded\n\n`, "overloaded"],
    "an error beside an empty response": [events('{"response":{},"error":{"code":503}}'), "overloaded"],
    "an error 200,000 deep": [events(`{"error":{"d":${"[".repeat(200_000)}${"]".repeat(200_000)}}}`), "unreadable"],
    "events without content": [events('{"id":1}') + done, "unreadable"],
    "a reason that is a failure": [events(chunk("ä", "error")) + done, "serverError"],
    "an error of MiniMax": [a + events('{"choices":null,"base_resp":{"status_code":1008}}') + done, "unreadable"],
    "an error in a choice, of OpenRouter": [
      a + events('{"choices":[{"delta":{},"error":{"code":503}}]}'),
      "overloaded",
    ],
    "an error of Gemini": [a + events('[{"error":{"code":503}}]'), "overloaded"],
    "an error on a line of its own": [`${a}{"error":{"code":529}}\n\n${done}`, "overloaded"],
    "an error inside": [a + events('{"result":{"error":"No."}}') + done, "unreadable"],
    "an unknown object in place of its end": [a + events('{"id":1,"model":"m"}') + done, "unreadable"],
    "an event that is no JSON": [a + events("Grüße") + b, "unreadable"],
    "the same with carriage returns": [(a + events("Grüße") + b).replaceAll("\n", "\r"), "unreadable"],
  };
  for (const [what, [stream, kind]] of Object.entries(broken)) {
    it(`fails as ${kind} with ${what}`, async () => {
      const parts = stream.includes('"content":"ä"') ? text("ä") : [];
      for (const reads of stream.length < 10_000 ? [[stream], byteByByte(stream)] : [[stream]]) {
        assert.deepEqual(await read(reads), { parts, failure: kind });
      }
    });
  }

  it("is whole with [DONE] after an unknown finish reason, which is kept for the report", async () => {
    for (const reason of ["constructor", "upstream_hiccup"]) {
      const reader = new ChatReader();
      const body = a + events(chunk("世", reason));
      const { parts } = await readAll(answerOf([body + done], ""), reader);
      assert.deepEqual([parts, reader.state.unknownReason], [[...text("ä世"), stop], reason]);
      assert.deepEqual(await read([body]), { parts: text("ä世"), failure: "unreadable" });
    }
  });

  it("fails as empty with thoughts only", async () => {
    const stream = events('{"choices":[{"delta":{"reasoning":"hm"},"finish_reason":"stop"}]}');
    assert.deepEqual(await read([stream]), { parts: [{ type: "reasoning", text: "hm" }], failure: "empty" });
  });

  const both = [events(chunk("a", "stop")), events(chunk("b", "stop"))];
  it("continues after a finish reason together with content", async () => {
    const { parts, failure } = await read(both, "", "stays open", 40);
    assert.deepEqual([parts, failure], [[...text("ab"), stop], undefined]);
  });

  it("stays whole where the connection dies after its end", async () => {
    const { parts } = await read([events(chunk("a")), events(chunk("", "stop"))], "", "dies");
    assert.deepEqual(parts, [...text("a"), stop]);
  });

  it("fails if it never ends, after what has arrived", async () => {
    const { parts, failure } = await read(Array<string>(20).fill(`data: ${chunk("x".repeat(100_000))}\n\n`), "");
    assert.equal(failure, "unreadable");
    assert.deepEqual(parts, text("x".repeat(1_000_000)));
  });

  it("finds a page's title in linear time", async () => {
    const before = process.cpuUsage();
    for (const piece of ["<title", "<title ", "<title>", "<"]) {
      assert.equal((await read([`<html>${piece.repeat(100_000)}`], "text/html")).failure, "badGateway");
    }
    assert.ok(process.cpuUsage(before).user < 1_000_000);
  });
});

describe("an answer in one piece", () => {
  const whole = JSON.stringify({ choices: [{ message: { content: "a" }, finish_reason: "stop" }] });
  const choices = whole.slice(1);
  const cases: Readonly<Record<string, readonly [body: string, failure?: GatewayErrorKind]>> = {
    JSON: [whole],
    "JSON and something behind it": [`${whole}\n<!-- cached -->`],
    "JSON with a BOM and spaces": [`\uFEFF \n${whole}\n`],
    spaces: [" \n", "empty"],
    "an answer without text": [JSON.stringify({ choices: [{ message: { content: "" } }] }), "empty"],
    "a page": ["\uFEFF \n<!DOCTYPE html><title>Log in</title>", "badGateway"],
    XML: ['<?xml version="1.0"?><Error/>', "badGateway"],
    "a list": [`[${whole}]`, "unreadable"],
    "more than 8 MB": [JSON.stringify({ choices: [{ message: { content: "x".repeat(9 << 20) } }] }), "unreadable"],
    "an error": [error, "overloaded"],
    "an error beside choices": [`{"error":{"code":429},${choices}`, "rateLimited"],
    "nothing in the error": [`{"error":{"code":null,"message":""},${choices}`],
  };
  it("is not whole with several objects in it", async () => {
    for (const behind of [whole, error, '{"done":true}']) {
      assert.deepEqual(await read([`${whole}\n${behind}\n`], ""), { parts: [], failure: "unreadable" });
    }
  });

  it("blocks nothing, however large or long", async () => {
    using turns = longestTurn();
    const fields = Array.from({ length: 300_000 }, (_, at) => `"f${at}":${at}`).join(",");
    const large = [`{${fields},${choices}`, `[${"{},".repeat(2 << 20)}0]`, `{"a":${"[1,".repeat(2 << 20)}`];
    for (const body of large) assert.deepEqual(await read([body], ""), { parts: [], failure: "unreadable" });
    const megabyte = "x".repeat(1 << 20);
    for (const endless of [
      megabyte,
      `{"a":"${megabyte}`,
      `data: ${megabyte}`,
      `event: x\ndata: {}\n\n${megabyte}`,
      " ".repeat(1 << 20),
    ]) {
      const reads = [endless, ...Array.from({ length: 200 }, () => endless.slice(-megabyte.length))];
      assert.equal((await read(reads, "")).failure, "unreadable", endless.slice(0, 20));
    }
    assert.ok(turns.longest < 200, `${turns.longest} ms`);
  });

  for (const [what, [body, failure]] of Object.entries(cases)) {
    it(`${failure === undefined ? "is read from" : `fails as ${failure} with`} ${what}`, async () => {
      for (const type of ["application/json", "", "text/event-stream"]) {
        const expected = failure === undefined ? { parts: [...text("a"), stop], failure } : { parts: [], failure };
        assert.deepEqual(await read([body], type), expected);
      }
    });
  }
});

/** The parts of an answer, with consecutive texts joined, and the kind of its failure. */
async function read(
  reads: readonly (string | Buffer)[],
  type = "text/event-stream; charset=utf-8",
  ...how: readonly [end?: End, pause?: number]
): Promise<{ parts: readonly ContentPart[]; failure: GatewayErrorKind | undefined }> {
  const { parts, failure } = await readAll(answerOf(reads, type, ...how), new ChatReader());
  return { parts, failure: failure?.kind };
}
