import assert from "node:assert/strict";
import { leavesNothing, shortLimits, startBench } from "../support/bench.ts";
import {
  allAsked,
  broken,
  chunk,
  drip,
  event,
  failure,
  raw,
  rightAnswer,
  rightText,
  send,
  stream,
  streams,
} from "../support/faults.ts";
import type { Fault, SeenRequest } from "../support/faultServer.ts";
import { always, brokeOff, each, type Expected, itEnds, nothing, useless } from "../support/scenario.ts";

describe("faults: body", () => {
  leavesNothing();

  const breaks: readonly (readonly [framing: "chunked" | "length" | "none", after: number, expected: Expected])[] = [
    ["chunked", 1, { ...nothing(), ...brokeOff }],
    ["chunked", 0, nothing()],
    ["length", 1, { ...nothing(), ...brokeOff }],
    ["none", 1, { ...useless("unreadable"), ...brokeOff }],
  ];
  for (const [framing, after, expected] of breaks) {
    for (const how of ["reset", "close"] as const) {
      itEnds(`${how} after ${after} pieces, framing: ${framing}`, broken({ framing, after, how }), expected);
    }
  }
  const stalls = { fault: broken({ after: 1, how: "stall" }), limits: shortLimits };
  itEnds("stalls in the middle", stalls, { ...nothing("timeout"), ...brokeOff });

  const whole: readonly (readonly [title: string, fault: Fault, expected: Expected])[] = [
    ["200 with an empty body", send(200, "application/json", ""), useless("empty")],
    ["200 with an empty stream", stream(""), useless("empty")],
    ["200 with a page", send(200, "text/html", "<!DOCTYPE html><title>Log in</title>"), useless("badGateway")],
    ["200 with an error", failure(200, "overloaded_error"), each(allAsked, "answer 2+1", "overloaded 2+2")],
    ["cut-off JSON", send(200, "application/json", '{"choices":[{"mess'), useless("unreadable")],
    [
      "JSON of another kind",
      send(200, "application/json", '{"message":"Hi"}'),
      { ...useless("unreadable"), ...each(["image"], "noImage 1+0") },
    ],
  ];
  for (const row of whole) itEnds(...row);

  describe("reads no more than the beginning of an error", () => {
    const head = "HTTP/1.1 403 X\r\ncontent-type: text/plain\r\n";
    const chunked = `${head}transfer-encoding: chunked\r\n\r\n`;
    itEnds("50 MB", send(403, "text/plain", Buffer.alloc(50 << 20)), always("forbidden 1+0"));
    itEnds("without an end", drip(chunked, chunk("x".repeat(1 << 20)), 5), always("forbidden 1+0"));
  });
});

const answered = each(streams, "answer 1+0");
const whole = (request: SeenRequest): string => rightAnswer(request).pieces.join("");

/** Sends a right stream without its end, followed by `rest`. */
const unfinished =
  (rest = ""): Fault =>
  (exchange) => {
    const pieces = rightAnswer(exchange.request).pieces.filter((piece) => !/DONE|completed|"stop"/.test(piece));
    stream(pieces.join("") + rest)(exchange);
  };

describe("faults: stream", () => {
  leavesNothing();

  const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
  const commented: Fault = (exchange) => {
    drip(head, chunk(": still here\n\n"), 60, 29, `${chunk(whole(exchange.request))}0\r\n\r\n`)(exchange);
  };
  const openWithoutDone: Fault = (exchange) => {
    raw(head + chunk(whole(exchange.request).replace("data: [DONE]\n\n", "")))(exchange);
  };
  const start = stream(event({ choices: [{ delta: { role: "assistant" } }], type: "response.created" }));
  itEnds("only comments for longer than the idle limit", { limits: shortLimits, fault: commented }, answered);
  itEnds("no [DONE] but a finish reason, and left open", openWithoutDone, answered);
  itEnds("left open after the end", broken({ after: 9, how: "stall" }), answered);
  itEnds("reset after the end", broken({ after: 9, how: "reset" }), answered);
  itEnds("ends without a marker", unfinished(), brokeOff);
  const garbled =
    (reason = "null"): Fault =>
    (exchange) => {
      const pieces = rightAnswer(exchange.request).pieces.slice(0, 2).join("").replaceAll("null", reason);
      drip(head + chunk(pieces), "?\r\n", 60, 1)(exchange);
    };
  itEnds("garbage between chunks", garbled(), brokeOff);
  const named: Fault = (exchange) => {
    const [first = "", ...rest] = rightAnswer(exchange.request).pieces.map((piece) => piece.replace("null", '"null"'));
    drip(head + chunk(first), chunk(rest.join("")), 200, 1, "0\r\n\r\n")(exchange);
  };
  itEnds("pauses after “null” as a finish reason", { limits: { afterFinish: 10 }, fault: named }, answered);
  itEnds("garbage between chunks that all have a finish reason", garbled('"stop"'), brokeOff);
  itEnds("ends without a marker before any part", start, each(streams, "answer 2+1", "connectionLost 2+2"));

  /** Errors inside a stream: the kind, and the outcome if they come before the first part. */
  const errors: readonly (readonly [error: object, kind: string, before: string, both?: string])[] = [
    [{ error: { code: "overloaded_error" } }, "overloaded", "answer 2+1", "overloaded 2+2"],
    [{ error: { type: "timeout_error" } }, "badGateway", "answer 1+1", "badGateway 1+1"],
    [{ type: "error", code: "model_not_found" }, "modelNotFound", "modelNotFound 1+0"],
    [{ response: { error: { code: "server_error" } } }, "serverError", "answer 2+1", "serverError 2+2"],
  ];
  for (const [error, kind, before, both] of errors) {
    const text = JSON.stringify(error);
    itEnds(`${text} first`, stream(`event: error\n${event(error)}`), each(streams, before, both));
    itEnds(`${text} in the middle`, unfinished(event(error)), each(streams, `${kind} 1+0`));
  }

  for (const asked of streams) {
    it(`an event that is not JSON, whose payload appears in no error: ${asked}`, async () => {
      await using bench = await startBench(unfinished("data: {secret payload\n\n"));
      const { outcome, error, text } = await bench.result(asked);
      assert.deepEqual([outcome, text, bench.posts], ["interrupted", rightText.slice(0, text.length), "1+0"]);
      assert.doesNotMatch([error?.message, error?.gatewayMessage, error?.stack, String(error?.cause)].join(), /secret/);
    });
  }
});
