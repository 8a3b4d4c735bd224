import assert from "node:assert/strict";
import { setImmediate as connectionsAtRest, setTimeout as pause } from "node:timers/promises";
import { leavesNothing, shortLimits, startBench } from "../support/bench.ts";
import {
  allAsked,
  failure,
  onceAfter,
  preceded,
  raw,
  right,
  send,
  sendJson,
  texts,
  unasked,
} from "../support/faults.ts";
import { type Fault, FaultServer } from "../support/faultServer.ts";
import { always, each, type Expected, itEnds, limitsFor, nothing, oddHeads, useless } from "../support/scenario.ts";

const inFront = useless("badGateway");
const only = (end: string): Expected => each(["image"], end);

/** The outcome of a status, for every operation. */
const byStatus: readonly (readonly [statuses: readonly number[], expected: Expected])[] = [
  [[401], always("unauthorized 1+0")],
  [[403], always("forbidden 1+0")],
  [[404], always("notFound 1+0")],
  [[400, 422, 501], { ...each(texts, "rejected 2+0"), ...only("rejected 1+0") }],
  [[405, 999], always("rejected 1+0")],
  [[413], always("contextTooLong 1+0")],
  [[429], always("rateLimited 3+0")],
  [[500], { ...nothing("serverError"), ...only("serverError 2+0") }],
  [[503, 529], each(allAsked, "answer 2+1", "overloaded 2+2")],
  [[502, 524], inFront],
];

/** Statuses that are no failure of a proxy, even as a page. */
const pages: Readonly<Record<number, Expected>> = {
  401: always("unauthorized 1+0"),
  403: always("forbidden 1+0"),
  404: always("notFound 1+0"),
  413: { ...useless("contextTooLong"), ...only("contextTooLong 1+0") },
  429: always("rateLimited 3+0"),
};

/** Status lines without a status, before a connection that stays open and before its end. */
const noStatus = ["000", "1000", "abc", "103 Early\r\n\r\nHTTP/1.1 099"].flatMap((start) =>
  [false, true].map((ends) => {
    const title = `no status${ends ? ", and the end" : ""}: ${JSON.stringify(start)}`;
    return [title, raw(`HTTP/1.1 ${start} X\r\n${ends ? "content-length: 2\r\n" : ""}\r\n{}`, ends)] as const;
  }),
);

describe("faults: headers", () => {
  leavesNothing();

  for (const [statuses, expected] of byStatus) {
    for (const status of statuses) {
      itEnds(`${status} as JSON`, failure(status, "x"), expected);
      itEnds(`${status} as a page`, send(status, "text/html", " \uFEFF<html><title>Oh"), pages[status] ?? inFront);
    }
  }
  for (const said of [
    "<html><title>400 The plain HTTP request was sent to HTTPS port",
    "Client sent an HTTP request to an HTTPS server.",
  ]) {
    itEnds(`plain http on a TLS port: ${said}`, send(400, "text/html", said), always("notHttps 1+0"));
  }
  itEnds("an order that was taken, but without an image", sendJson(202, { id: "task_1" }), useless("unreadable"));
  for (const [title, fault] of noStatus) itEnds(title, fault, inFront);
  for (const [title, fault, expected] of oddHeads) itEnds(title, { fault, limits: limitsFor(title) }, expected);
  itEnds("another protocol, without its name", raw("HTTP/1.1 101 X\r\nx-a: b\r\n\r\n"), nothing());

  const interim: Readonly<Record<string, string>> = {
    "100 that nobody asked for": unasked,
    "100 with headers": "HTTP/1.1 100 Continue\r\nx-a: b\r\ncontent-length: 5\r\n\r\n",
    "several 100, 102 and 103": `${unasked}HTTP/1.1 102 X\r\n\r\n${unasked}HTTP/1.1 103 X\r\nlink: </x>\r\n\r\n${unasked}`,
  };
  for (const [what, head] of Object.entries(interim)) {
    const inPackets = onceAfter(async ({ socket }) => {
      for (const piece of head.match(/[^]{1,9}/g) ?? []) {
        socket.write(piece);
        await pause(2);
      }
    });
    itEnds(`${what} before 200, in packets of their own`, inPackets, always("answer 1+0"));
  }
  itEnds("100 before an error", preceded(unasked, failure(401, "x")), always("unauthorized 1+0"));

  it("are in time if the process was too busy to read them", async () => {
    const busy: Fault = (exchange) => {
      right(exchange);
      const end = performance.now() + 400;
      while (performance.now() < end);
    };
    await using bench = await startBench(busy, { limits: shortLimits, hasBackup: false });
    for (const asked of ["chatStream", "image"] as const) assert.equal(await bench.outcome(asked), "answer");
    assert.equal(bench.posts, "2+0");
  });

  it("keeps the connection after an answer that followed a 100", async () => {
    await using bench = await startBench(preceded(unasked));
    for (let turn = 1; turn <= 3; turn += 1) {
      assert.equal(await bench.outcome(), "answer");
      await connectionsAtRest();
    }
    assert.equal(bench.primary.connections, 1);
  });

  for (const status of [301, 302, 303, 307, 308]) {
    it(`${status} is not followed, and its target named`, async () => {
      await using target = await FaultServer.start(right);
      const location = `${target.url}/v1/elsewhere`;
      await using bench = await startBench(send(status, "text/plain", "", `location: ${location}?a=b\r\n`));
      for (const asked of allAsked) {
        const { outcome, error } = await bench.result(asked);
        assert.deepEqual([outcome, error?.gatewayMessage, error?.status], ["redirected", location, status]);
      }
      assert.deepEqual([bench.posts, target.connections], ["5+0", 0]);
      bench.primary.always(send(status, "text/plain", "", "location: /login?next=%2Fv1\r\n"));
      assert.equal((await bench.result()).error?.gatewayMessage, `${bench.primary.url}/login`);
    });
  }
});
