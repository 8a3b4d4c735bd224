import { allAsked, type Asked, send, streams } from "../../support/faults/answers.ts";
import { shortLimits } from "../../support/faults/bench.ts";
import { broken, chunk, drip, failure } from "../../support/faults/faults.ts";
import type { Fault } from "../../support/faults/faultServer.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import { always, each, type Expected, itEnds, nothing, useless } from "../../support/faults/scenario.ts";

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
