import assert from "node:assert/strict";
import { systemClock } from "../../../src/gateway/policy/clock.ts";
import { type Bench, clientFor, leavesNothing, resultOf, startBench } from "../support/bench.ts";
import { allAsked, broken, failure, silence } from "../support/faults.ts";
import { certificateFile, type Fault, type FaultServerOptions } from "../support/faultServer.ts";
import { mute, startProxy } from "../support/proxy.ts";
import { until } from "../../support/until.ts";
import { plainSettings } from "../../support/plainSettings.ts";

interface Phase {
  readonly listens?: FaultServerOptions;
  readonly fault?: Fault;
  /** Whether the operation has reached this phase. */
  readonly isReached: (bench: Bench) => boolean;
}

const isAsked = ({ primary }: Bench): boolean => primary.posts === 1;
const stall = broken({ after: 1, how: "stall" });

const phases: Readonly<Record<string, Phase>> = {
  "before the handshake": {
    listens: { certificate: "localhost", onConnection: () => undefined },
    isReached: ({ primary }) => primary.connections === 1,
  },
  "before headers": { isReached: isAsked },
  "in the body": { fault: stall, isReached: isAsked },
  "in the back-off": { fault: failure(529, "x"), isReached: ({ reports }) => reports.length === 1 },
};

describe("faults: cancel", () => {
  leavesNothing();

  for (const [title, { listens = {}, fault = silence, isReached }] of Object.entries(phases)) {
    for (const asked of allAsked) {
      it(`${title}: ${asked}`, async () => {
        await using bench = await startBench(fault, { primary: listens, tuning: { clock: systemClock } });
        const cancel = new AbortController();
        const running = bench.outcome(asked, cancel.signal);
        await until(() => isReached(bench), title);
        cancel.abort(new Error("The user pressed Stop."));
        assert.equal(await running, "cancelled");
        await until(() => bench.primary.busy === 0, "the connection is closed");
        assert.deepEqual([bench.primary.posts, bench.backup.connections], [isAsked(bench) ? 1 : 0, 0]);
        assert.ok(bench.health.every(({ isHealthy }) => isHealthy));
        assert.equal(bench.reports.at(-1)?.failure, title === "in the back-off" ? "overloaded" : "cancelled");
      });
    }
  }

  it("before anything and after the last byte: nothing is asked, and the answer stays", async () => {
    for (const asked of allAsked) {
      await using bench = await startBench();
      assert.equal(await bench.outcome(asked, AbortSignal.abort()), "cancelled");
      assert.equal(bench.primary.connections, 0);
      const cancel = new AbortController();
      assert.equal(await bench.outcome(asked, cancel.signal), "answer");
      cancel.abort();
      assert.deepEqual([bench.primary.posts, bench.reports.at(-1)?.failure], [1, undefined]);
    }
  });

  it("by leaving the loop: the connection is closed", async () => {
    await using bench = await startBench(stall);
    const request = { model: "gpt-5.4", messages: [{ role: "user", content: "Hi" }] } as const;
    for await (const part of bench.gateway.ask(request, new AbortController().signal)) if (part.type === "text") break;
    await until(() => bench.primary.busy === 0, "the connection is closed");
  });

  const connectTimeout = 10_000;
  const silent = { certificate: "localhost", onConnection: () => undefined } as const;
  for (const way of ["direct", "a silent proxy", "a proxy, then silence"] as const) {
    it(`of one of two that connect closes its socket at once: ${way}`, async () => {
      const trusted = { certificateFile: certificateFile("ca") };
      await using bench = await startBench(silence, { primary: silent, hasBackup: false, settings: trusted });
      await using proxy = await startProxy({ "gateway.test": bench.primary }, way === "a silent proxy" ? mute : {});
      const server = way === "direct" ? bench.primary : proxy;
      if (way !== "direct") {
        const settings = { baseUrl: "https://gateway.test", proxy: { ...plainSettings.proxy, url: proxy.url } };
        bench.settings = { ...bench.settings, ...settings };
      }
      const connected = way === "a silent proxy" ? () => proxy.asked.length : () => bench.primary.connections;
      const cancels: AbortController[] = [];
      const running: Promise<string>[] = [];
      for (const count of [1, 2]) {
        cancels.push(new AbortController());
        running.push(bench.outcome("chatJson", cancels.at(-1)?.signal));
        await until(() => connected() === count, "it connects");
      }
      for (const [index, cancel] of cancels.entries()) {
        const start = performance.now();
        cancel.abort();
        assert.equal(await running[index], "cancelled");
        await until(() => server.open === 1 - index, "its socket is closed");
        assert.ok(performance.now() - start < connectTimeout / 2, "no time limit closes it");
      }
    });
  }

  it("by disposing of the client: nothing runs on", async () => {
    await using bench = await startBench(silence);
    const gateway = clientFor(() => ({ ...plainSettings, baseUrl: bench.settings.baseUrl }), {});
    const running = allAsked.map((asked) => resultOf(gateway, asked));
    await until(() => bench.primary.posts === 5, "all are asked");
    await gateway.dispose();
    for (const { outcome } of await Promise.all(running)) assert.equal(outcome, "interrupted");
  });
});
