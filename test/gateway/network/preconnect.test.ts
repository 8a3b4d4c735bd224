import assert from "node:assert/strict";
import { setImmediate as connectionsAtRest } from "node:timers/promises";
import { right } from "../../support/faults/answers.ts";
import { type Bench, shortLimits, startBench } from "../../support/faults/bench.ts";
import { failure, silence } from "../../support/faults/faults.ts";
import { certificateFile } from "../../support/faults/faultServer.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import { mute, startProxy } from "../../support/faults/proxy.ts";
import { resultOf } from "../../support/faults/scenario.ts";
import { until } from "../../support/gateway/until.ts";

const overTls = {
  primary: { certificate: "localhost" },
  settings: { certificateFile: certificateFile("ca") },
} as const;

/** Asks a question and returns its outcome, when its connection is at rest. */
async function ask(bench: Bench): Promise<string> {
  const { outcome } = await resultOf(bench.gateway, "chatStream");
  await connectionsAtRest();
  return outcome;
}

/** Connects before a question, and waits for the end of that. */
async function preconnect(bench: Bench, count = bench.preconnects.length + 1): Promise<void> {
  bench.gateway.preconnect();
  await until(() => bench.preconnects.length === count, 2_000, "the connection is open or has failed");
}

/** Waits until the primary has accepted a connection, TLS included. */
async function accepted({ primary }: Bench): Promise<void> {
  await until(() => primary.open === 1 && primary.busy === 0, 2_000, "the server has accepted it");
}

/** Connects where no connection is to be opened, and lets everything happen that would. */
async function inVain(bench: Bench): Promise<void> {
  const { connections } = bench.primary;
  const { length } = bench.preconnects;
  bench.gateway.preconnect();
  for (let turn = 0; turn < 20; turn += 1) await connectionsAtRest();
  assert.deepEqual([bench.primary.connections, bench.preconnects.length], [connections, length]);
}

describe("a connection before the question", () => {
  leavesNothing();

  for (const [title, options] of [
    ["without TLS", {}],
    ["over TLS", overTls],
  ] as const) {
    describe(title, () => {
      it("is one, sends nothing and needs no key; the question uses it", async () => {
        await using bench = await startBench(right("chatStream"), options);
        await preconnect(bench);
        await accepted(bench);
        assert.deepEqual([bench.primary.connections, bench.primary.seen, bench.keysRead], [1, "", 0]);
        assert.deepEqual([bench.backup.connections, bench.reports], [0, []]);
        assert.equal(await ask(bench), "answer");
        assert.equal(await ask(bench), "answer");
        assert.deepEqual([bench.primary.connections, bench.primary.posts], [1, 2]);
      });

      it("serves a question that comes while it is being opened", async () => {
        await using bench = await startBench(right("chatStream"), options);
        bench.gateway.preconnect();
        assert.equal(await ask(bench), "answer");
        assert.equal(await ask(bench), "answer");
        assert.deepEqual([bench.primary.connections, bench.primary.posts], [1, 2]);
      });

      for (const how of ["closeIdle", "resetIdle"] as const) {
        it(`costs nothing when the server does ${how} before the question`, async () => {
          await using bench = await startBench(right("chatStream"), options);
          await preconnect(bench);
          await accepted(bench);
          bench.primary[how]();
          // Below TLS the socket takes a moment. The client gets no more time than that to notice.
          await until(() => bench.primary.open === 0, 2_000, "it is closed");
          assert.equal(await ask(bench), "answer");
          assert.deepEqual([bench.primary.connections, bench.primary.posts, bench.backup.posts], [2, 1, 0]);
          assert.deepEqual(
            bench.reports.map((report) => report.failure),
            [undefined],
          );
          assert.ok(bench.health.every(({ isHealthy }) => isHealthy));
        });
      }

      it("is closed with the client", async () => {
        await using bench = await startBench(right("chatStream"), options);
        await preconnect(bench);
        await accepted(bench);
        await bench.gateway.dispose();
        await until(() => bench.primary.open === 0, 2_000, "it is closed");
        await inVain(bench);
      });
    });
  }

  it("is opened at most once in 20 seconds", async () => {
    await using bench = await startBench(right("chatStream"));
    await preconnect(bench);
    await accepted(bench);
    bench.primary.closeIdle();
    await until(() => bench.primary.open === 0, 2_000, "it is closed");
    bench.clock.advance(19_999);
    await inVain(bench);
    bench.clock.advance(1);
    await preconnect(bench);
    assert.equal(bench.primary.connections, 2);
  });

  it("is not opened beside one that is kept, in use, or being opened", async () => {
    await using bench = await startBench(right("chatStream"));
    assert.equal(await ask(bench), "answer");
    await inVain(bench);
    bench.primary.next(({ socket, request, done }) => {
      void inVain(bench).then(() => {
        right("chatStream")({ socket, request, done });
      });
    });
    assert.equal(await ask(bench), "answer");
    assert.equal(bench.primary.connections, 1);
  });

  it("goes to the backup while the primary's circuit is open, without a trial or a sign of life", async () => {
    await using bench = await startBench(right("chatStream"));
    await bench.primary.stop();
    assert.equal(await ask(bench), "answer");
    bench.backup.closeIdle();
    await until(() => bench.backup.open === 0, 2_000, "the backup's connection is closed");
    bench.clock.advance(25_000);
    await preconnect(bench);
    assert.deepEqual(bench.preconnects, [{ entry: "backup", duration: 0, failure: undefined }]);
    assert.equal(await ask(bench), "answer");
    assert.deepEqual([bench.backup.connections, bench.backup.posts], [2, 2]);
  });

  it("goes where a question to the model would, when only that model fails", async () => {
    await using bench = await startBench(right("chatStream"));
    bench.primary.always(failure(503, "overloaded"));
    for (let turn = 0; turn < 2; turn += 1) assert.equal(await ask(bench), "answer");
    bench.backup.closeIdle();
    bench.primary.closeIdle();
    await until(() => bench.backup.open + bench.primary.open === 0, 2_000, "all connections are closed");
    bench.gateway.preconnect("gpt-5.4");
    await until(() => bench.preconnects.length === 1, 2_000, "the connection is open");
    assert.equal(bench.preconnects[0]?.entry, "backup");
  });

  it("is no failure when it fails: the next question finds out by itself", async () => {
    await using bench = await startBench(right("chatStream"), { hasBackup: false });
    const { baseUrl } = bench.settings;
    bench.settings = { ...bench.settings, baseUrl: "http://127.0.0.1:1" };
    await preconnect(bench);
    assert.equal(bench.preconnects[0]?.failure, "unreachable");
    assert.ok(bench.health.every(({ isHealthy }) => isHealthy));
    assert.deepEqual(bench.reports, []);
    bench.settings = { ...bench.settings, baseUrl };
    assert.equal(await ask(bench), "answer");
  });

  it("says nothing without a base URL or with an unusable certificate file", async () => {
    await using bench = await startBench(right("chatStream"), { settings: { baseUrl: "" } });
    await inVain(bench);
    bench.settings = { ...bench.settings, baseUrl: "https://localhost", certificateFile: "/nowhere.pem" };
    await preconnect(bench);
    assert.equal(bench.preconnects[0]?.failure, "certificateFile");
  });

  it("is given up when the server does not shake hands", async () => {
    await using bench = await startBench(right("chatStream"), {
      primary: { certificate: "localhost", onConnection: () => undefined },
      limits: shortLimits,
    });
    await preconnect(bench);
    await until(() => bench.primary.open === 0, 2_000, "it is closed");
  });

  it("hands its failure to a question that comes meanwhile, which the backup answers", async () => {
    await using bench = await startBench(right("chatStream"), {
      primary: { certificate: "localhost", onConnection: (socket) => void setTimeout(() => socket.destroy(), 50) },
    });
    bench.gateway.preconnect();
    assert.equal(await ask(bench), "answer");
    assert.deepEqual([bench.primary.connections, bench.backup.posts], [1, 1]);
  });

  it("does not use the connection for a paid image", async () => {
    await using bench = await startBench(right("image"));
    await preconnect(bench);
    assert.equal((await resultOf(bench.gateway, "image")).outcome, "answer");
    assert.equal(bench.primary.connections, 2);
  });

  it("is a tunnel through a proxy, which sees a CONNECT and nothing more", async () => {
    await using bench = await startBench(right("chatStream"), {
      primary: { certificate: "localhost" },
      settings: { ...overTls.settings, baseUrl: "https://gateway.test", backupBaseUrl: "" },
    });
    await using proxy = await startProxy({ "gateway.test": bench.primary });
    bench.settings = { ...bench.settings, proxy: { ...bench.settings.proxy, url: proxy.url } };
    await preconnect(bench);
    assert.deepEqual([bench.preconnects[0]?.failure, proxy.asked], [undefined, ["CONNECT gateway.test:443"]]);
    assert.deepEqual([bench.primary.connections, bench.primary.seen], [1, ""]);
    assert.equal(await ask(bench), "answer");
    assert.deepEqual([proxy.asked.length, bench.primary.connections], [1, 1]);
    await bench.gateway.dispose();
    await until(() => proxy.open === 0, 2_000, "the tunnel is closed");
  });

  it("is given up when a proxy does not answer", async () => {
    await using bench = await startBench(silence, {
      limits: shortLimits,
      settings: { baseUrl: "https://gateway.test", backupBaseUrl: "" },
    });
    await using proxy = await startProxy({}, mute);
    bench.settings = { ...bench.settings, proxy: { ...bench.settings.proxy, url: proxy.url } };
    await preconnect(bench);
    await until(() => proxy.open === 0, 2_000, "it is closed");
  });
});
