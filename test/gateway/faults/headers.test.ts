import assert from "node:assert/strict";
import { setImmediate as connectionsAtRest, setTimeout as pause } from "node:timers/promises";
import { allAsked, right, send, texts } from "../../support/faults/answers.ts";
import { startBench } from "../../support/faults/bench.ts";
import { drip, failure, raw } from "../../support/faults/faults.ts";
import { type Exchange, FaultServer } from "../../support/faults/faultServer.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import {
  always,
  charged,
  each,
  type Expected,
  itEnds,
  nothing,
  resultOf,
  useless,
} from "../../support/faults/scenario.ts";

const inFront = useless("badGateway");
const only = (end: string): Expected => each(["image"], end, end);

/** What a status comes to, for every operation. */
const byStatus: readonly (readonly [statuses: readonly number[], expected: Expected])[] = [
  [[401], always("unauthorized 1+0")],
  [[403], always("forbidden 1+0")],
  [[404], always("notFound 1+0")],
  [[400, 422, 501], { ...each(texts, "rejected 2+0", "rejected 2+0"), ...only("rejected 1+0") }],
  [[405, 409, 418, 999], always("rejected 1+0")],
  [[413], always("contextTooLong 1+0")],
  [[429], always("rateLimited 3+0")],
  [[500], { ...nothing("serverError"), ...only("serverError 2+0") }],
  [[503, 529], each(allAsked, "answer 2+1", "overloaded 2+2")],
  [[502, 504, 524], inFront],
];

/** What is not a failure of a server in front, although it comes as a page. */
const pages: Readonly<Record<number, Expected>> = {
  401: always("unauthorized 1+0"),
  403: always("forbidden 1+0"),
  404: always("notFound 1+0"),
  413: { ...useless("contextTooLong"), ...only("contextTooLong 1+0") },
  429: always("rateLimited 3+0"),
};

/** Sends a text in small packets. */
async function sendSlowly({ socket }: Exchange, text: string): Promise<void> {
  for (const piece of text.match(/[^]{1,9}/g) ?? []) {
    socket.write(piece);
    await pause(2);
  }
}

describe("faults: headers", () => {
  leavesNothing();

  for (const [statuses, expected] of byStatus) {
    for (const status of statuses) {
      itEnds(`${status} as JSON`, { fault: failure(status, "x") }, expected);
      const asPage = pages[status] ?? inFront;
      itEnds(`${status} as a page`, { fault: send(status, "text/html", " \uFEFF<html><title>Oh") }, asPage);
    }
  }
  for (const said of [
    "<html><title>400 The plain HTTP request was sent to HTTPS port",
    "Client sent an HTTP request to an HTTPS server.",
  ]) {
    itEnds(`plain http on a TLS port: ${said}`, { fault: send(400, "text/html", said) }, always("notHttps 1+0"));
  }
  for (const error of [
    { code: "content_filter" },
    { code: 500, innererror: { code: "ResponsibleAIPolicyViolation" } },
  ]) {
    const fault = send(error.code === 500 ? 500 : 400, "application/json", JSON.stringify({ error }));
    itEnds(`a refusal of a content filter: ${error.code}`, { fault }, always("filtered 1+0"));
  }
  itEnds(
    "an order that was taken, but without an image",
    { fault: send(202, "application/json", '{"id":"task_1"}') },
    useless("unreadable"),
  );
  itEnds("model_not_found with 500", { fault: failure(500, "model_not_found") }, always("modelNotFound 1+0"));
  itEnds(
    "headers over 16 KB",
    { fault: send(200, "application/json", "{}", `x-long: ${"x".repeat(20_000)}\r\n`) },
    { ...each(texts, "rejected 1+0", "rejected 1+0"), ...charged },
  );
  for (const start of ["000", "099", "42", "0", "-1", "1000", "abc", "", "103 Early\r\n\r\nHTTP/1.1 099"]) {
    const head = `HTTP/1.1 ${start} X\r\n`;
    itEnds(
      `no status, and the connection stays open: ${JSON.stringify(start)}`,
      { fault: raw(`${head}\r\n{}`) },
      inFront,
    );
    const whole = `${head}content-length: 2\r\n\r\n{}`;
    itEnds(
      `no status, and the end: ${JSON.stringify(start)}`,
      { fault: ({ socket }) => void socket.end(whole) },
      inFront,
    );
  }
  const unasked = "HTTP/1.1 100 Continue\r\n\r\n";
  const interim: Readonly<Record<string, string>> = {
    "100 that nobody asked for": unasked,
    "100 with headers": "HTTP/1.1 100 Continue\r\nx-a: b\r\ncontent-length: 5\r\n\r\n",
    "several 100, 102 and 103": `${unasked}HTTP/1.1 102 X\r\n\r\n${unasked}HTTP/1.1 103 X\r\nlink: </x>\r\n\r\n${unasked}`,
  };
  for (const [what, head] of Object.entries(interim)) {
    itEnds(
      `${what} before 200`,
      {
        faultFor: (asked) => (exchange) => {
          exchange.socket.write(head);
          right(asked)(exchange);
        },
      },
      always("answer 1+0"),
    );
    itEnds(
      `${what} before 200, in packets of their own`,
      {
        faultFor: (asked) => (exchange) =>
          void sendSlowly(exchange, head).then(() => {
            right(asked)(exchange);
          }),
      },
      always("answer 1+0"),
    );
  }
  itEnds(
    "100 before an error",
    {
      fault: (exchange) => {
        exchange.socket.write(unasked);
        failure(401, "x")(exchange);
      },
    },
    always("unauthorized 1+0"),
  );
  itEnds("nothing but 100", { fault: drip("", unasked.repeat(50), 1) }, nothing());
  for (const head of ["101 X\r\nupgrade: x\r\nconnection: upgrade", "101 X\r\nx-a: b"]) {
    itEnds(
      `another protocol that nobody asked for: ${JSON.stringify(head)}`,
      { fault: raw(`HTTP/1.1 ${head}\r\n\r\n`) },
      nothing(),
    );
  }

  it("keeps the connection after an answer that followed a 100", async () => {
    await using bench = await startBench(right("chatStream"));
    for (let turn = 1; turn <= 3; turn += 1) {
      bench.primary.next((exchange) => {
        exchange.socket.write(unasked);
        right("chatStream")(exchange);
      });
      assert.equal((await resultOf(bench.gateway, "chatStream")).outcome, "answer");
      await connectionsAtRest();
    }
    assert.equal(bench.primary.connections, 1);
  });

  for (const status of [301, 302, 303, 307, 308]) {
    it(`${status} is not followed, and its target named`, async () => {
      await using target = await FaultServer.start(right("chatJson"));
      const location = `http://localhost:${String(target.port)}/v1/elsewhere`;
      await using bench = await startBench(send(status, "text/plain", "", `location: ${location}?a=b\r\n`));
      for (const asked of allAsked) {
        const { outcome, error } = await resultOf(bench.gateway, asked);
        assert.deepEqual([outcome, error?.gatewayMessage, error?.status], ["redirected", location, status]);
      }
      assert.deepEqual([bench.primary.posts, bench.backup.posts, target.connections], [5, 0, 0]);
    });
  }
});
