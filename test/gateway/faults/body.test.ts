import { allAsked, send, streams, texts, wholes } from "../../support/faults/answers.ts";
import { shortLimits } from "../../support/faults/bench.ts";
import { broken, chunk, drip, failure } from "../../support/faults/faults.ts";
import type { Fault } from "../../support/faults/faultServer.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import { always, each, itEnds } from "../../support/faults/scenario.ts";

const charged = each(["image"], "mayBeCharged 1+0", "mayBeCharged 1+0");
const brokeOff = each(streams, "interrupted 1+0", "interrupted 1+0");
const lost = each(texts, "answer 2+1", "connectionLost 2+2");
const useless = (kind: string) => ({ ...each(texts, "answer 1+1", `${kind} 1+1`), ...charged });

describe("faults: body", () => {
  leavesNothing();

  for (const how of ["reset", "close"] as const) {
    const number = how === "reset" ? 17 : 18;
    itEnds(
      `${number}: chunked, ${how} in the middle`,
      { faultFor: (asked) => broken(asked, { framing: "chunked", after: 1, how }) },
      { ...lost, ...charged, ...brokeOff },
    );
    itEnds(
      `${number}: chunked, ${how} before the first piece`,
      { faultFor: (asked) => broken(asked, { framing: "chunked", after: 0, how }) },
      { ...lost, ...charged },
    );
  }
  itEnds(
    "shorter than its Content-Length",
    { faultFor: (asked) => broken(asked, { framing: "length", after: 1, how: "close" }) },
    { ...lost, ...charged, ...brokeOff },
  );
  for (const how of ["reset", "close"] as const) {
    itEnds(
      `without length, ${how} in the middle`,
      { faultFor: (asked) => broken(asked, { framing: "none", after: 1, how }) },
      { ...brokeOff, ...each(wholes, "answer 1+1", "unreadable 1+1"), ...charged },
    );
  }
  itEnds(
    "stalls in the middle",
    { faultFor: (asked) => broken(asked, { framing: "chunked", after: 1, how: "stall" }), limits: shortLimits },
    { ...brokeOff, ...each(wholes, "answer 2+1", "timeout 2+2"), ...charged },
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
    {
      ...each(allAsked, "answer 2+1", "overloaded 2+2"),
    },
  );
  itEnds("200 with model_not_found", { fault: failure(200, "model_not_found") }, always("modelNotFound 1+0"));
  itEnds("cut-off JSON", { fault: send(200, "application/json", '{"choices":[{"mess') }, useless("unreadable"));
  itEnds(
    "JSON of another kind",
    { fault: send(200, "application/json", '{"message":"Hi"}') },
    {
      ...each(texts, "answer 1+1", "unreadable 1+1"),
      ...each(["image"], "noImage 1+0", "noImage 1+0"),
    },
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
