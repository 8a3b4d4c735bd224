import assert from "node:assert/strict";
import { allAsked, type Asked, rightAnswers, rightText, send, streams } from "../../support/faults/answers.ts";
import { shortLimits, startBench } from "../../support/faults/bench.ts";
import { broken, chunk, drip, failure } from "../../support/faults/faults.ts";
import type { Fault } from "../../support/faults/faultServer.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import { always, each, type Expected, itEnds, nothing, resultOf, useless } from "../../support/faults/scenario.ts";

const brokeOff = each(streams, "interrupted 1+0", "interrupted 1+0");

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
      const faultFor = (asked: Asked): Fault => broken(asked, { framing, after, how });
      itEnds(`${how} after ${after} pieces, framing: ${framing}`, { faultFor }, expected);
    }
  }
  itEnds(
    "stalls in the middle",
    { faultFor: (asked) => broken(asked, { framing: "chunked", after: 1, how: "stall" }), limits: shortLimits },
    { ...nothing("timeout"), ...brokeOff },
  );
  itEnds("200 with an empty body", { fault: send(200, "application/json", "") }, useless("empty"));
  itEnds("200 with an empty stream", { fault: send(200, "text/event-stream", "") }, useless("empty"));
  itEnds(
    "204",
    {
      fault: ({ socket, done }) => {
        socket.write("HTTP/1.1 204 X\r\n\r\n");
        done();
      },
    },
    useless("empty"),
  );
  itEnds(
    "200 with a page",
    { fault: send(200, "text/html", "<!DOCTYPE html><title>Log in</title>") },
    useless("badGateway"),
  );
  itEnds(
    "200 with an error in JSON",
    { fault: failure(200, "overloaded_error") },
    each(allAsked, "answer 2+1", "overloaded 2+2"),
  );
  itEnds("200 with model_not_found", { fault: failure(200, "model_not_found") }, always("modelNotFound 1+0"));
  itEnds("cut-off JSON", { fault: send(200, "application/json", '{"choices":[{"mess') }, useless("unreadable"));
  itEnds(
    "JSON of another kind",
    { fault: send(200, "application/json", '{"message":"Hi"}') },
    { ...useless("unreadable"), ...each(["image"], "noImage 1+0", "noImage 1+0") },
  );

  describe("reads no more than the beginning of an error", () => {
    const megabyte = "x".repeat(1 << 20);
    const large = Buffer.alloc(50 << 20);
    const head = "HTTP/1.1 403 X\r\ncontent-type: text/plain\r\n";
    const rows: readonly (readonly [title: string, fault: Fault])[] = [
      [
        "50 MB",
        ({ socket }) => {
          socket.write(`${head}content-length: ${large.length}\r\n\r\n`);
          socket.write(large);
        },
      ],
      ["without an end", drip(`${head}transfer-encoding: chunked\r\n\r\n`, chunk(megabyte), 5)],
      ["a byte from time to time", drip(`${head}transfer-encoding: chunked\r\n\r\n`, chunk("x"), 100)],
    ];
    for (const [title, fault] of rows) itEnds(title, { fault }, always("forbidden 1+0"));
  });
});

const stream = (body: string): Fault => send(200, "text/event-stream", body);
const whole = (asked: Asked): string => rightAnswers[asked].pieces.join("");
const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const answered = each(streams, "answer 1+0", "answer 1+0");

/** The pieces of a right stream from the start to its last words, without the marker. */
const unfinished = (asked: Asked): readonly string[] =>
  rightAnswers[asked].pieces.filter((piece) => !/DONE|completed|"stop"/.test(piece));

describe("faults: stream", () => {
  leavesNothing();

  itEnds(
    "only comments for longer than the idle limit",
    {
      limits: shortLimits,
      faultFor: (asked) => (exchange) => {
        const { socket } = exchange;
        let comments = 0;
        socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n");
        const timer = setInterval(() => {
          comments += 1;
          socket.write(chunk(comments < 30 ? ": still here\n\n" : whole(asked)));
          if (comments < 30) return;
          socket.end("0\r\n\r\n");
          clearInterval(timer);
        }, 60);
      },
    },
    answered,
  );
  itEnds(
    "no [DONE] but a finish reason",
    { faultFor: (asked) => stream(whole(asked).replace("data: [DONE]\n\n", "")) },
    answered,
  );
  itEnds(
    "left open after the end",
    { faultFor: (asked) => broken(asked, { framing: "chunked", after: 9, how: "stall" }) },
    answered,
  );
  itEnds(
    "reset after the end",
    { faultFor: (asked) => broken(asked, { framing: "chunked", after: 9, how: "reset" }) },
    answered,
  );
  itEnds(
    "ends without a marker",
    { faultFor: (asked) => stream(unfinished(asked).join("")) },
    each(streams, "interrupted 1+0", "interrupted 1+0"),
  );
  itEnds(
    "ends without a marker before any part",
    { fault: stream(event({ choices: [{ delta: { role: "assistant" } }], type: "response.created" })) },
    each(streams, "answer 2+1", "connectionLost 2+2"),
  );

  /** Errors inside a stream, with what they mean before the first part and after it. */
  const errors: readonly (readonly [error: object, kind: string, before: string, both: string])[] = [
    [{ error: { code: "overloaded_error" } }, "overloaded", "answer 2+1", "overloaded 2+2"],
    [{ error: { code: "rate_limit_exceeded" } }, "rateLimited", "rateLimited 3+0", "rateLimited 3+0"],
    [{ type: "error", code: "model_not_found" }, "modelNotFound", "modelNotFound 1+0", "modelNotFound 1+0"],
    [
      { type: "response.failed", response: { error: { code: "server_error" } } },
      "serverError",
      "answer 2+1",
      "serverError 2+2",
    ],
  ];
  for (const [error, kind, before, both] of errors) {
    const text = JSON.stringify(error);
    itEnds(`${text} first`, { fault: stream(`event: error\n${event(error)}`) }, each(streams, before, both));
    itEnds(
      `${text} in the middle`,
      { faultFor: (asked) => stream(unfinished(asked).join("") + event(error)) },
      each(streams, `${kind} 1+0`, `${kind} 1+0`),
    );
  }

  for (const asked of streams) {
    it(`an event that is not JSON, and its payload told to nobody: ${asked}`, async () => {
      const [first = "", ...more] = rightAnswers[asked].pieces;
      await using bench = await startBench(stream([first, "data: {secret payload\n\n", ...more].join("")));
      const { outcome, error, text } = await resultOf(bench.gateway, asked);
      assert.deepEqual([outcome, text, bench.primary.posts], ["interrupted", rightText.slice(0, text.length), 1]);
      assert.doesNotMatch([error?.message, error?.gatewayMessage, error?.stack, String(error?.cause)].join(), /secret/);
    });

    it(`an event without bounds: ${asked}`, async () => {
      const endless = `data: ${"x".repeat(17 << 20)}`;
      await using bench = await startBench(stream(endless));
      assert.equal((await resultOf(bench.gateway, asked)).outcome, "unreadable");
    });
  }
});
