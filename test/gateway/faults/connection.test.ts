import assert from "node:assert/strict";
import { setImmediate as connectionsAtRest, setTimeout as pause } from "node:timers/promises";
import { allAsked, right, rightAnswers } from "../../support/faults/answers.ts";
import { shortLimits, startBench } from "../../support/faults/bench.ts";
import { chunk, close, drip, raw, reset, silence } from "../../support/faults/faults.ts";
import type { FaultServer } from "../../support/faults/faultServer.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import { each, itEnds, nothing, resultOf, type Trouble, useless } from "../../support/faults/scenario.ts";

const stopped = (entry: FaultServer): Promise<void> => entry.stop();
const unresolvable: Trouble = { url: (_, name) => `https://${name}.invalid` };

describe("faults: connection", () => {
  leavesNothing();

  itEnds(
    "refused",
    { url: ({ port }) => `http://localhost:${String(port)}`, prepare: stopped },
    each(allAsked, "answer 0+1", "unreachable 0+0"),
  );
  itEnds("no address", unresolvable, each(allAsked, "answer 0+1", "offline 0+0"));
  itEnds(
    "accepted, but no handshake",
    { listens: { certificate: "localhost", onConnection: () => undefined }, limits: shortLimits },
    each(allAsked, "answer 0+1", "unreachable 0+0"),
  );
  itEnds(
    "reset on accept",
    { listens: { certificate: "localhost", onConnection: (socket) => socket.resetAndDestroy() } },
    each(allAsked, "answer 0+1", "unreachable 0+0"),
  );
  itEnds("closed before headers", { fault: close }, nothing());
  itEnds("reset after the request", { fault: reset }, nothing());
  itEnds("never answers", { fault: silence, limits: shortLimits }, nothing("timeout"));
  itEnds(
    "slow headers",
    { fault: drip("HTTP/1.1 200 OK\r\nx-slow: ", "x", 50), limits: shortLimits },
    nothing("timeout"),
  );
  itEnds("garbage instead of a status line", { fault: raw("GARBAGE\r\n\r\n") }, useless("badGateway"));

  it("leaves the breakers alone when neither entry has an address", async () => {
    await using bench = await startBench(right("chatJson"), {
      settings: { baseUrl: "https://primary.invalid", backupBaseUrl: "https://backup.invalid" },
    });
    for (const asked of allAsked) assert.equal((await resultOf(bench.gateway, asked)).outcome, "offline");
    assert.ok(bench.health.every(({ isHealthy }) => isHealthy));
  });

  it("gives up within 3 s when a backup stands by", async () => {
    await using bench = await startBench(right("chatStream"), {
      primary: { certificate: "localhost", onConnection: () => undefined },
    });
    const start = performance.now();
    assert.equal((await resultOf(bench.gateway, "chatStream")).outcome, "answer");
    const duration = performance.now() - start;
    assert.ok(duration > 2_900 && duration < 3_500, String(duration));
    assert.equal((await resultOf(bench.gateway, "chatStream")).outcome, "answer");
    assert.equal(bench.primary.connections, 1);
  });

  it("serves the next question although the body's end comes in a packet after [DONE]", async () => {
    const { type, pieces } = rightAnswers.chatStream;
    const head = `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`;
    await using bench = await startBench(({ socket, done }) => {
      socket.write(head + chunk(pieces.join("")));
      void pause(10).then(() => {
        socket.write("0\r\n\r\n");
        done();
      });
    });
    for (let turn = 1; turn <= 10; turn += 1) {
      assert.equal((await resultOf(bench.gateway, "chatStream")).outcome, "answer");
      await pause(30);
    }
    // One, but for a turn that a busy machine starts before it has seen the end of the last one.
    assert.ok(bench.primary.connections < 10, `${bench.primary.connections} connections for 10 questions`);
  });

  describe("a kept connection is stale", () => {
    for (const asked of allAsked) {
      it(`${asked}: lost as it is used again`, async () => {
        await using bench = await startBench(right(asked));
        const used = new Set<unknown>();
        bench.primary.always((exchange) => {
          const fault = used.has(exchange.socket) ? reset : right(asked);
          used.add(exchange.socket);
          fault(exchange);
        });
        for (const use of ["first", "second"]) {
          assert.equal((await resultOf(bench.gateway, asked)).outcome, "answer", use);
          await connectionsAtRest();
        }
        assert.equal(bench.primary.posts, asked === "image" ? 2 : 3);
        assert.equal(bench.backup.posts, 0);
      });

      for (const how of ["closeIdle", "resetIdle"] as const) {
        it(`${asked}: ${how}, which is noticed only as it is used again`, async () => {
          await using bench = await startBench(right(asked));
          for (const use of ["first", "second", "third"]) {
            assert.equal((await resultOf(bench.gateway, asked)).outcome, "answer", use);
            await connectionsAtRest();
            // Not a turn of the event loop between this and the next question.
            bench.primary[how]();
          }
          const failures = bench.reports.map(({ failure }) => failure);
          assert.deepEqual([bench.primary.posts, bench.backup.posts, failures], [3, 0, Array(3).fill(undefined)]);
          assert.ok(bench.health.every(({ isHealthy }) => isHealthy));
        });
      }
    }

    it("like all the others that were kept", async () => {
      await using bench = await startBench(right("chatStream"), { hasBackup: false });
      const ask = () => resultOf(bench.gateway, "chatStream");
      await Promise.all([ask(), ask(), ask()]);
      await connectionsAtRest();
      bench.primary.resetIdle();
      const outcomes = (await Promise.all([ask(), ask(), ask(), ask()])).map(({ outcome }) => outcome);
      assert.deepEqual(outcomes, ["answer", "answer", "answer", "answer"]);
      assert.equal(bench.primary.posts, 7);
    });

    it("and its entry is gone: nothing is sent, the backup is asked", async () => {
      await using bench = await startBench(right("chatStream"));
      assert.equal((await resultOf(bench.gateway, "chatStream")).outcome, "answer");
      await connectionsAtRest();
      bench.primary.resetIdle();
      await bench.primary.stop();
      assert.equal((await resultOf(bench.gateway, "chatStream")).outcome, "answer");
      assert.equal(bench.backup.posts, 1);
    });
  });
});
