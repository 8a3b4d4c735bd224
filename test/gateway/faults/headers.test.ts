import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { allAsked, right, send, texts } from "../../support/faults/answers.ts";
import { startBench } from "../../support/faults/bench.ts";
import { failure } from "../../support/faults/faults.ts";
import { FaultServer } from "../../support/faults/faultServer.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import { always, each, type Expected, itEnds, resultOf } from "../../support/faults/scenario.ts";

const inFront: Expected = {
  ...each(texts, "answer 1+1", "badGateway 1+1"),
  ...each(["image"], "mayBeCharged 1+0", "mayBeCharged 1+0"),
};

/** What a status comes to, for every operation. */
const byStatus: readonly (readonly [statuses: readonly number[], expected: Expected])[] = [
  [[401], always("unauthorized 1+0")],
  [[403], always("forbidden 1+0")],
  [[404], always("notFound 1+0")],
  [[405, 409, 418, 999], always("rejected 1+0")],
  [[429], { ...each(allAsked, "rateLimited 3+0", "rateLimited 3+0") }],
  [[500], { ...each(allAsked, "answer 2+1", "serverError 2+2") }],
  [[503, 529], { ...each(allAsked, "answer 2+1", "overloaded 2+2") }],
  [[502, 504, 520, 521, 522, 523, 524], inFront],
];

describe("faults: headers", () => {
  leavesNothing();

  for (const [statuses, expected] of byStatus) {
    for (const status of statuses) {
      itEnds(`26: ${status} as JSON`, { fault: failure(status, "x") }, expected);
      itEnds(`26: ${status} as a page`, { fault: send(status, "text/html", "<html><title>Oh") }, expected);
    }
  }
  itEnds("model_not_found with 500", { fault: failure(500, "model_not_found") }, always("modelNotFound 1+0"));
  itEnds(
    "14: headers over 16 KB",
    { fault: send(200, "application/json", "{}", `x-long: ${"x".repeat(20_000)}\r\n`) },
    { ...each(texts, "rejected 1+0", "rejected 1+0"), ...each(["image"], "mayBeCharged 1+0", "mayBeCharged 1+0") },
  );
  itEnds(
    "15: 102 and 103 before 200",
    {
      faultFor: (asked) => (exchange) => {
        exchange.socket.write("HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n");
        right(asked)(exchange);
      },
    },
    always("answer 1+0"),
  );

  for (const status of [301, 302, 303, 307, 308]) {
    it(`29: ${status} is not followed, and its target named`, async () => {
      await using target = await FaultServer.start(right("chatJson"));
      const location = `http://localhost:${String(target.port)}/v1/elsewhere`;
      await using bench = await startBench(send(status, "text/plain", "", `location: ${location}?a=b\r\n`));
      for (const asked of allAsked) {
        const { outcome, error } = await resultOf(bench.gateway, asked);
        assert.deepEqual([outcome, error?.said, error?.status], ["redirected", location, status]);
      }
      assert.deepEqual([bench.primary.posts, bench.backup.posts, target.connections], [5, 0, 0]);
    });
  }
});
