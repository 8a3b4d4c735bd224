import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { GatewayError, type GatewayErrorKind } from "../../../src/gateway/errors.ts";
import type { HttpAnswer, HttpBody } from "../../../src/gateway/network/exchange.ts";
import { readAnswer } from "../../../src/gateway/wire/answer.ts";
import type { ContentPart } from "../../../src/gateway/wire/answerReader.ts";
import { chatReader } from "../../../src/gateway/wire/chatReader.ts";

const chunk = (content: string, finish_reason: string | null = null) =>
  JSON.stringify({ choices: [{ delta: { content }, finish_reason }] });
const started = (id: string, content: string) =>
  JSON.stringify({ id, choices: [{ delta: { role: "assistant", content } }] });
/** How answers are read here. */
const options = { afterFinish: 10, onRead: () => undefined, clean: (text: string) => text };
const stop = { type: "finish", reason: "stop" };
const text = (content: string) => [{ type: "text", text: content }];
const error = JSON.stringify({ error: { message: "Busy.", code: "overloaded_error" } });

describe("a stream of events", () => {
  const cases = [
    ["with line feeds", `data: ${chunk("a")}\n\ndata: ${chunk("b", "stop")}\n\ndata: [DONE]\n\n`],
    ["with carriage returns", `data: ${chunk("a")}\r\rdata: ${chunk("b", "stop")}\r\rdata: [DONE]\r\r`],
    ["with both", `data: ${chunk("a")}\r\n\r\ndata: ${chunk("b", "stop")}\r\n\r\ndata: [DONE]\r\n\r\n`],
    ["without spaces", `data:${chunk("a")}\n\ndata:${chunk("b", "stop")}\n\ndata:[DONE]\n\n`],
    ["with a BOM", `\uFEFFdata: ${chunk("a")}\n\ndata: ${chunk("b", "stop")}\n\n`],
    [
      "with comments and other fields",
      `: hi\nid: 1\nretry: 5\nfoo: x\nevent: chunk\ndata: ${chunk("a")}\n\n: \n\ndata: ${chunk("b", "stop")}\n\n`,
    ],
    [
      "with events of several lines",
      `data: {"choices":\ndata: [{"delta":{"content":"a"}}]}\n\ndata: ${chunk("b", "stop")}\n\n`,
    ],
    ["with empty events", `data:\n\ndata: ${chunk("a")}\n\ndata: \n\ndata: ${chunk("b", "stop")}\n\n`],
    ["with blanks and quotes around [DONE]", `data: ${chunk("a")}\n\ndata: ${chunk("b")}\n\ndata:  "[DONE]" \n\n`],
    [
      "with events that keep it alive",
      `event: ping\ndata: now\n\ndata: ${chunk("a")}\n\ndata: ping\n\nevent: x\ndata: {"a":1}\n\ndata: ${chunk("b", "stop")}\n\n`,
    ],
    [
      "with chunks without choices",
      `data: {"id":1}\n\ndata: {"choices":[]}\n\ndata: ${chunk("a")}\n\ndata: {}\n\ndata: ${chunk("b", "stop")}\n\n`,
    ],
    [
      "with a finish reason in every chunk",
      `data: ${chunk("a", "stop")}\n\ndata: ${chunk("b", "stop")}\n\ndata: [DONE]\n\n`,
    ],
    [
      "with rubbish after its end",
      `data: ${chunk("a")}\n\ndata: ${chunk("b")}\n\ndata: ${chunk("", "stop")}\n\ndata: bye\n\n`,
    ],
    [
      "with errors that say nothing",
      `data: {"error":{},${chunk("a").slice(1)}\n\ndata: {"error":"",${chunk("b", "stop").slice(1)}\n\n`,
    ],
    [
      "with events that hold nothing",
      `data: ${chunk("a")}\n\ndata: null\n\ndata: []\n\ndata: {"type":"ping"}\n\ndata: ${chunk("b")}\n\ndata: null\n\ndata: {"message":"success","code":0}\n\ndata: [DONE]\n\n`,
    ],
    [
      "that starts over",
      `data: ${started("1", "")}\n\ndata: ${chunk("a")}\n\ndata: ${started("2", "")}\n\ndata: ${chunk("a")}\n\ndata: ${chunk("b", "stop")}\n\n`,
    ],
    ["without [DONE]", `data: ${chunk("a")}\n\ndata: ${chunk("b", "stop")}\n\n`],
    ["whose last event lacks its end", `data: ${chunk("a")}\n\ndata: ${chunk("b", "stop")}`],
    [
      "that goes on after [DONE]",
      `data: ${chunk("a")}\n\ndata: ${chunk("b", "stop")}\n\ndata: [DONE]\n\ndata: ${error}\n\n`,
    ],
  ] as const;
  for (const [what, stream] of cases) {
    it(`is read ${what}`, async () => {
      for (const type of ["text/event-stream; charset=utf-8", "application/json", "text/plain", ""]) {
        for (const reads of [[stream], Array.from(Buffer.from(stream), (byte) => Buffer.from([byte]))]) {
          assert.deepEqual(await read(reads, type), { parts: [...text("ab"), stop], failure: undefined });
        }
      }
    });
  }

  const broken: readonly (readonly [string, string, readonly object[], GatewayErrorKind])[] = [
    ["nothing", "", [], "empty"],
    ["comments only", ": hi\n\n", [], "empty"],
    ["no end", `data: ${chunk("a")}\n\n`, text("a"), "connectionLost"],
    ["half an event at the end", `data: ${chunk("a")}\n\ndata: {"choi`, text("a"), "connectionLost"],
    ["an error", `data: ${error}\n\n`, [], "overloaded"],
    [
      "an error of no form but its event's",
      `event: error\ndata: {"message":"Busy.","code":"overloaded"}\n\n`,
      [],
      "overloaded",
    ],
    [
      "an error that is a word",
      `data: ${chunk("a")}\n\nevent: error\ndata: server_is_overloaded\n\n`,
      text("a"),
      "overloaded",
    ],
    ["an error by its status", `data: {"error":{"message":"Busy.","status":"529"}}\n\n`, [], "overloaded"],
    ["an error beside an empty response", `data: {"response":{},"error":{"code":503}}\n\n`, [], "overloaded"],
    ["an error named as Object's own", `data: {"error":{"code":"constructor","type":"__proto__"}}\n\n`, [], "rejected"],
    [
      "an error 200,000 deep",
      `data: {"error":{"code":"overloaded_error","d":${"[".repeat(200_000)}${"]".repeat(200_000)}}}\n\n`,
      [],
      "unreadable",
    ],
    ["events that mean nothing", `data: {"id":1}\n\ndata: [DONE]\n\n`, [], "unreadable"],
    ["a page in place of the stream", "\uFEFF \n<!DOCTYPE html><title>Log in</title>", [], "badGateway"],
    ["a reason that is a failure", `data: ${chunk("a", "error")}\n\ndata: [DONE]\n\n`, text("a"), "serverError"],
    [
      "thoughts only",
      `data: {"choices":[{"delta":{"reasoning":"hm"},"finish_reason":"stop"}]}\n\n`,
      [{ type: "reasoning", text: "hm" }],
      "empty",
    ],
    ["a promise of tool calls that never come", `data: ${chunk("", "tool_calls")}\n\ndata: [DONE]\n\n`, [], "empty"],
    ["an error after some text", `data: ${chunk("a")}\n\ndata: ${error}\n\n`, text("a"), "overloaded"],
    ["an event of type error", `data: ${chunk("a")}\n\nevent: error\ndata: ${error}\n\n`, text("a"), "overloaded"],
    [
      "an error of FastChat",
      `data: ${chunk("a")}\n\ndata: {"text":"**BUSY**","error_code":50002}\n\ndata: [DONE]\n\n`,
      text("a"),
      "serverError",
    ],
    [
      "an error of FastAPI",
      `data: ${chunk("a")}\n\ndata: {"detail":"No."}\n\ndata: [DONE]\n\n`,
      text("a"),
      "interrupted",
    ],
    [
      "an error of MiniMax",
      `data: ${chunk("a")}\n\ndata: {"choices":null,"base_resp":{"status_code":1008,"status_msg":"No."}}\n\ndata: [DONE]\n\n`,
      text("a"),
      "interrupted",
    ],
    ["an error of Gemini", `data: ${chunk("a")}\n\ndata: [{"error":{"code":503}}]\n\n`, text("a"), "overloaded"],
    [
      "an error of OpenRouter",
      `data: ${chunk("a")}\n\ndata: {"choices":[{"error":{"code":502},"finish_reason":"error"}]}\n\n`,
      text("a"),
      "badGateway",
    ],
    [
      "an error of llama.cpp",
      `data: ${chunk("a")}\n\nerror: {"code":500,"message":"No."}\n\n`,
      text("a"),
      "serverError",
    ],
    [
      "an error on a line of its own",
      `data: ${chunk("a")}\n\n{"error":{"code":529}}\n\ndata: [DONE]\n\n`,
      text("a"),
      "overloaded",
    ],
    [
      "an error by its message and status",
      `data: ${chunk("a")}\n\ndata: {"message":"Busy.","code":"503"}\n\ndata: [DONE]\n\n`,
      text("a"),
      "overloaded",
    ],
    [
      "an error inside",
      `data: ${chunk("a")}\n\ndata: {"result":{"error":"No."}}\n\ndata: [DONE]\n\n`,
      text("a"),
      "interrupted",
    ],
    [
      "an object nobody knows in place of its end",
      `data: ${chunk("a")}\n\ndata: {"id":1,"model":"m"}\n\ndata: [DONE]\n\n`,
      text("a"),
      "interrupted",
    ],
    ["a filter's error", `data: {"error":{"code":"content_filter","type":"server_error"}}\n\n`, [], "filtered"],
    [
      "an event that is no JSON",
      `data: ${chunk("a")}\n\ndata: Grüße\n\ndata: ${chunk("b", "stop")}\n\n`,
      text("a"),
      "interrupted",
    ],
    ["no content", `data: ${chunk("", "stop")}\n\ndata: [DONE]\n\n`, [], "empty"],
  ];
  for (const [what, stream, parts, kind] of broken) {
    it(`fails as ${kind} with ${what}`, async () => {
      assert.deepEqual(await read([stream]), { parts, failure: kind });
    });
  }

  it("says the same however it is split into reads, broken or not", async () => {
    const contents = ["a", "世界 🎉", "\u2028\r\n", "é".repeat(50)];
    const whole = contents.map((content) => `data: ${chunk(content)}\r\n\r\n`).join("");
    const ends = [
      `data: ${chunk("!", "stop")}\r\n\r\ndata: [DONE]\r\n\r\n`,
      `data: ${error}\r\n\r\n`,
      "data: {\r\n\r\n",
      "",
    ];
    for (const end of ends) {
      const bytes = Buffer.from(whole + end);
      const expected = await read([whole + end]);
      const cuts = fc.array(fc.nat({ max: bytes.length }), { maxLength: 20 });
      await fc.assert(
        fc.asyncProperty(cuts, async (at) => {
          const edges = [0, ...at.toSorted((a, b) => a - b), bytes.length];
          const reads = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
          assert.deepEqual(await read(reads), expected);
        }),
      );
      assert.deepEqual(await read(Array.from(bytes, (byte) => Buffer.from([byte]))), expected, "byte by byte");
    }
  });

  it("hands on what comes in one read in one piece, and what comes in several as it comes", async () => {
    const thought = (text: string): string => JSON.stringify({ choices: [{ delta: { reasoning_content: text } }] });
    const events = [thought("x"), thought("y"), chunk("a"), chunk("b"), chunk("c", "stop")];
    const sent = events.map((event) => `data: ${event}\n\n`);
    const body = [sent.slice(0, 4).join(""), sent.slice(4).join("")];
    const reasoning = { type: "reasoning", text: "xy" };
    assert.deepEqual(await all(answerOf(body, "text/event-stream")), [reasoning, ...text("ab"), ...text("c"), stop]);
  });

  it("leaves what the gateway sends out of the error", async () => {
    for (const stream of [`data: sk-secret-payload\n\n`, `data: ["sk-secret-payload"]\n\n`]) {
      await assert.rejects(all(answerOf([stream], "text/event-stream")), (failure) => {
        return (
          failure instanceof GatewayError &&
          !`${failure.stack ?? ""}${failure.gatewayMessage ?? ""}`.includes("payload")
        );
      });
    }
  });

  it("ends at its marker although the body stays open, and closes it", async () => {
    const answer = answerOf([`data: ${chunk("a", "stop")}\n\ndata: [DONE]\n\n`], "text/event-stream", true);
    assert.deepEqual(await all(answer), [...text("a"), stop]);
    assert.ok(answer.body.isClosed);
  });

  it("goes on after a finish reason that content came with", async () => {
    const answer = answerOf([`data: ${chunk("a", "stop")}\n\n`, `data: ${chunk("b", "stop")}\n\n`], "", true, 40);
    assert.deepEqual(await all(answer), [...text("a"), ...text("b"), stop]);
  });

  it("is cut off where the connection dies among chunks that all have a finish reason", async () => {
    const answer = answerOf([`data: ${chunk("a", "stop")}\n\n`, `data: ${chunk("b", "stop")}\n\n`], "", "dies");
    await assert.rejects(all(answer), /socket/);
  });

  it("stays whole where the connection dies after its end", async () => {
    const answer = answerOf([`data: ${chunk("a")}\n\n`, `data: ${chunk("", "stop")}\n\n`], "", "dies");
    assert.deepEqual(await all(answer), [...text("a"), stop]);
  });

  it("breaks off where it never ends, and what came stays", async () => {
    const { parts, failure } = await read(Array<string>(20).fill(`data: ${chunk("x".repeat(100_000))}\n\n`), "");
    assert.equal(failure, "interrupted");
    assert.deepEqual(parts, text("x".repeat(1_000_000)));
  });

  it("looks for a page's title in linear time", async () => {
    const before = process.cpuUsage();
    for (const piece of ["<title", "<title ", "<title>", "<"]) {
      assert.equal((await read([`<html>${piece.repeat(100_000)}`], "text/html")).failure, "badGateway");
    }
    assert.ok(process.cpuUsage(before).user < 1_000_000);
  });

  it("ends a moment after its finish reason although the body stays open", async () => {
    const answer = answerOf([`data: ${chunk("a", "stop")}\n\n`], "text/event-stream", true);
    assert.deepEqual(await all(answer), [...text("a"), stop]);
    assert.ok(answer.body.isClosed);
  });
});

describe("an answer in one piece", () => {
  const whole = JSON.stringify({ choices: [{ message: { content: "a" }, finish_reason: "stop" }] });
  const cases: readonly (readonly [string, string, GatewayErrorKind | undefined])[] = [
    ["JSON", whole, undefined],
    ["JSON and something behind it", `${whole}\n<!-- cached -->`, undefined],
    ["JSON with a BOM and spaces", `\uFEFF \n${whole}\n`, undefined],
    ["nothing", "", "empty"],
    ["spaces", " \n", "empty"],
    ["an answer without text", JSON.stringify({ choices: [{ message: { content: "" } }] }), "empty"],
    ["a page", "<!DOCTYPE html><title>Log in</title>", "badGateway"],
    ["half of the JSON", whole.slice(0, 30), "unreadable"],
    ["a list", `[${whole}]`, "unreadable"],
    ["a text", '"Hi"', "unreadable"],
    ["another shape", '{"result":"Hi"}', "unreadable"],
    ["an error", error, "overloaded"],
    ["an error as a text", '{"error":"model_not_found"}', "modelNotFound"],
    ["an error with a status", '{"error":{"code":401}}', "unauthorized"],
    ["an error nobody knows", '{"error":{"message":"No."}}', "rejected"],
    ["an error beside choices", `{"error":{"code":429},${whole.slice(1)}`, "rateLimited"],
    ["nothing in the error", `{"error":{"code":null,"message":""},${whole.slice(1)}`, undefined],
    ["false as the error", `{"error":false,${whole.slice(1)}`, undefined],
    ["XML", '<?xml version="1.0"?><Error/>', "badGateway"],
    [
      "content in parts",
      JSON.stringify({ choices: [{ message: { content: [{ type: "text", text: "a" }] } }] }),
      undefined,
    ],
    ["more than 8 MB", JSON.stringify({ choices: [{ message: { content: "x".repeat(9 << 20) } }] }), "unreadable"],
    ["null as the error", `{"error":null,${whole.slice(1)}`, undefined],
  ];
  it("is not whole with a finish reason that nobody knows", async () => {
    for (const finish_reason of ["constructor", "upstream_hiccup", "FINISH_REASON_UNSPECIFIED"]) {
      const body = JSON.stringify({ choices: [{ message: { content: "a" }, finish_reason }] });
      assert.deepEqual(await read([body]), { parts: text("a"), failure: "interrupted" });
    }
  });

  for (const [what, body, failure] of cases) {
    it(`${failure === undefined ? "is read from" : `fails as ${failure} with`} ${what}`, async () => {
      for (const type of ["application/json", "text/plain", "", "text/event-stream"]) {
        const expected = failure === undefined ? { parts: [...text("a"), stop], failure } : { parts: [], failure };
        assert.deepEqual(await read([body], type), expected);
      }
    });
  }
});

interface OpenBody extends HttpBody {
  readonly isClosed: boolean;
}

async function all(answer: HttpAnswer): Promise<readonly ContentPart[]> {
  const parts: ContentPart[] = [];
  const batches = readAnswer(answer, chatReader(), options);
  for await (const batch of batches) parts.push(...batch);
  return parts;
}

/** The parts of an answer, the texts of several reads as one, and the kind of the failure it ends in. */
async function read(
  reads: readonly (string | Buffer)[],
  type = "text/event-stream; charset=utf-8",
): Promise<{ parts: readonly ContentPart[]; failure: GatewayErrorKind | undefined }> {
  const parts: ContentPart[] = [];
  try {
    for await (const batch of readAnswer(answerOf(reads, type), chatReader(), options)) {
      for (const part of batch) {
        const last = parts.at(-1);
        if (part.type !== "text" || last?.type !== "text") parts.push(part);
        else parts.splice(-1, 1, { type: "text", text: last.text + part.text });
      }
    }
    return { parts, failure: undefined };
  } catch (failure) {
    if (failure instanceof GatewayError) return { parts, failure: failure.kind };
    throw failure;
  }
}

/** An answer whose body comes in these reads, and then ends or stays open until it is closed. */
function answerOf(
  reads: readonly (string | Buffer)[],
  type: string,
  after: boolean | "dies" = false,
  pause = 0,
): HttpAnswer & { readonly body: OpenBody } {
  const left = reads.map((one) => Buffer.from(one));
  const closed = Promise.withResolvers<undefined>();
  let isClosed = false;
  const done = { done: true, value: undefined } as const;
  const body: OpenBody = {
    get isClosed() {
      return isClosed;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (left.length < reads.length && pause > 0) await Promise.race([sleep(pause), closed.promise]);
      const value = isClosed ? undefined : left.shift();
      if (value) return { done: false, value };
      if (after === "dies") throw new Error("The socket died.");
      if (after) await closed.promise;
      return done;
    },
    return() {
      isClosed = true;
      closed.resolve(undefined);
      return Promise.resolve(done);
    },
  };
  return { status: 200, headers: { "content-type": type }, body };
}
