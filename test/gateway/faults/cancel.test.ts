import assert from "node:assert/strict";
import { allAsked, type Asked, right } from "../../support/faults/answers.ts";
import { clientFor, type Bench, startBench } from "../../support/faults/bench.ts";
import { broken, failure, silence } from "../../support/faults/faults.ts";
import type { FaultServerOptions } from "../../support/faults/faultServer.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import { resultOf } from "../../support/faults/scenario.ts";
import { until } from "../../support/gateway/until.ts";
import { plainSettings } from "../../support/plainSettings.ts";

interface Phase {
  readonly listens?: FaultServerOptions;
  readonly fault?: (asked: Asked) => ReturnType<typeof right>;
  /** Whether the operation is where it is to be cancelled. */
  readonly isReached: (bench: Bench) => boolean;
}

const isAsked = ({ primary }: Bench): boolean => primary.posts === 1;

const phases: Readonly<Record<string, Phase>> = {
  "before the handshake": {
    listens: { certificate: "localhost", onConnection: () => undefined },
    isReached: ({ primary }) => primary.connections === 1,
  },
  "before headers": { fault: () => silence, isReached: isAsked },
  "in the body": {
    fault: (asked) => broken(asked, { framing: "chunked", after: 1, how: "stall" }),
    isReached: isAsked,
  },
  "in the back-off": {
    fault: () => failure(529, "x"),
    isReached: ({ reports }) => reports.length === 1,
  },
};

describe("faults: cancel", () => {
  leavesNothing();

  for (const [title, { listens, fault, isReached }] of Object.entries(phases)) {
    for (const asked of allAsked) {
      it(`${title}: ${asked}`, async () => {
        await using bench = await startBench(fault?.(asked) ?? silence, {
          ...(listens && { primary: listens }),
          isClockReal: true,
        });
        const cancel = new AbortController();
        const running = resultOf(bench.gateway, asked, cancel.signal);
        await until(() => isReached(bench), 2_000, title);
        cancel.abort(new Error("The user pressed Stop."));
        assert.equal((await running).outcome, "cancelled");
        await until(() => bench.primary.busy === 0, 500, "the connection is closed");
        assert.equal(bench.primary.posts, isAsked(bench) ? 1 : 0);
        assert.equal(bench.backup.connections, 0);
        assert.ok(bench.health.every(({ isHealthy }) => isHealthy));
        assert.deepEqual(
          bench.reports.map(({ failure: kind }) => kind).at(-1),
          title.includes("back-off") ? "overloaded" : "cancelled",
        );
      });
    }
  }

  it("before anything: nothing is asked", async () => {
    await using bench = await startBench(silence);
    for (const asked of allAsked) {
      assert.equal((await resultOf(bench.gateway, asked, AbortSignal.abort())).outcome, "cancelled");
    }
    assert.equal(bench.primary.connections, 0);
  });

  it("after the last byte: the answer stays", async () => {
    for (const asked of allAsked) {
      await using bench = await startBench(right(asked));
      const cancel = new AbortController();
      assert.equal((await resultOf(bench.gateway, asked, cancel.signal)).outcome, "answer");
      cancel.abort();
      assert.deepEqual([bench.primary.posts, bench.reports.at(-1)?.failure], [1, undefined]);
    }
  });

  it("by leaving the loop: the connection is closed", async () => {
    await using bench = await startBench(broken("chatStream", { framing: "chunked", after: 1, how: "stall" }));
    const request = { model: "gpt-5.4", messages: [{ role: "user", content: "Hi" }] } as const;
    for await (const part of bench.gateway.ask(request, new AbortController().signal)) if (part.type === "text") break;
    await until(() => bench.primary.busy === 0, 500, "the connection is closed");
  });

  it("of one of two at once leaves the other alone", async () => {
    await using bench = await startBench(broken("chatStream", { framing: "chunked", after: 9, how: "stall" }));
    bench.primary.next(silence);
    const cancel = new AbortController();
    const cancelled = resultOf(bench.gateway, "chatStream", cancel.signal);
    await until(() => isAsked(bench), 2_000, "the first is asked");
    const other = resultOf(bench.gateway, "chatStream");
    await until(() => bench.primary.posts === 2, 2_000, "the second is asked");
    cancel.abort();
    assert.equal((await cancelled).outcome, "cancelled");
    assert.equal((await other).outcome, "answer");
  });

  it("by disposing of the client: nothing runs on", async () => {
    await using bench = await startBench(silence);
    const gateway = clientFor(() => ({ ...plainSettings, baseUrl: bench.settings.baseUrl }), {});
    const running = allAsked.map((asked) => resultOf(gateway, asked));
    await until(() => bench.primary.posts === 5, 2_000, "all are asked");
    await gateway.dispose();
    for (const { outcome } of await Promise.all(running)) assert.equal(outcome, "interrupted");
  });
});
