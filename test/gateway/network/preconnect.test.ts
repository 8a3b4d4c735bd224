import assert from "node:assert/strict";
import { setImmediate as connectionsAtRest } from "node:timers/promises";
import { type Bench, leavesNothing, shortLimits, startBench } from "../support/bench.ts";
import { failure, onceAfter, right } from "../support/faults.ts";
import { certificateFile, type FaultServer } from "../support/faultServer.ts";
import { startProxy } from "../support/proxy.ts";
import { until } from "../../support/until.ts";

const overTls = {
  primary: { certificate: "localhost" },
  settings: { certificateFile: certificateFile("ca") },
} as const;

/** Asks questions, which must be answered, and waits until the connection is idle. */
async function answers(bench: Bench, count = 1): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) {
    assert.equal(await bench.outcome(), "answer");
    await connectionsAtRest();
  }
}

const closed = (...servers: readonly { readonly open: number }[]): Promise<unknown> =>
  until(() => servers.every(({ open }) => open === 0), "all connections are closed");

async function closeKept(server: FaultServer): Promise<void> {
  server.closeIdle();
  await closed(server);
}

async function preconnect(bench: Bench, model?: string): Promise<void> {
  const count = bench.preconnects.length + 1;
  bench.gateway.preconnect(model);
  await until(() => bench.preconnects.length === count, "the connection is open or has failed");
}

/** Preconnects, and waits until the primary has accepted the connection, including TLS. */
async function connected(bench: Bench): Promise<void> {
  await preconnect(bench);
  await until(() => bench.primary.open === 1 && bench.primary.busy === 0, "the server has accepted it");
}

async function opensNone(bench: Bench): Promise<void> {
  const { connections } = bench.primary;
  const { length } = bench.preconnects;
  bench.gateway.preconnect();
  for (let turn = 0; turn < 20; turn += 1) await connectionsAtRest();
  assert.deepEqual([bench.primary.connections, bench.preconnects.length], [connections, length]);
}

describe("a connection before the question", () => {
  leavesNothing();

  for (const [where, options] of Object.entries({ "without TLS": {}, "over TLS": overTls })) {
    it(`is one, sends nothing and needs no key; the question uses it: ${where}`, async () => {
      await using bench = await startBench(right, options);
      await connected(bench);
      assert.deepEqual([bench.primary.connections, bench.primary.seen, bench.keysRead], [1, "", 0]);
      assert.deepEqual([bench.backup.connections, bench.reports], [0, []]);
      await answers(bench, 2);
      assert.deepEqual([bench.primary.connections, bench.primary.posts], [1, 2]);
    });

    it(`serves a question that comes while it is being opened: ${where}`, async () => {
      await using bench = await startBench(right, options);
      bench.gateway.preconnect();
      await answers(bench, 2);
      assert.deepEqual([bench.primary.connections, bench.primary.posts], [1, 2]);
    });
  }

  it("is closed with the client", async () => {
    await using bench = await startBench(right, overTls);
    await connected(bench);
    await bench.gateway.dispose();
    await closed(bench.primary);
    await opensNone(bench);
  });

  it("is opened at most once in 20 seconds", async () => {
    await using bench = await startBench();
    await connected(bench);
    await closeKept(bench.primary);
    bench.clock.advance(19_999);
    await opensNone(bench);
    bench.clock.advance(1);
    await preconnect(bench);
    assert.equal(bench.primary.connections, 2);
  });

  it("is closed with the only question that waits for it", async () => {
    const silent = { certificate: "localhost", onConnection: () => undefined } as const;
    await using bench = await startBench(right, { ...overTls, primary: silent });
    bench.gateway.preconnect();
    await until(() => bench.primary.connections === 1, "the server is asked for a connection");
    const cancels = [new AbortController(), new AbortController()] as const;
    const running = cancels.map(({ signal }) => bench.outcome("chatJson", signal));
    for (const [index, cancel] of cancels.entries()) {
      await connectionsAtRest();
      assert.equal(bench.primary.open, 1);
      cancel.abort();
      assert.equal(await running[index], "cancelled");
    }
    await closed(bench.primary);
    assert.equal(bench.primary.connections, 1);
  });

  it("is not opened beside one that is kept, in use, or being opened", async () => {
    await using bench = await startBench();
    await answers(bench);
    await opensNone(bench);
    bench.primary.next(onceAfter(() => opensNone(bench)));
    await answers(bench);
    assert.equal(bench.primary.connections, 1);
  });

  it("goes where a question to the model would, when only that model fails", async () => {
    await using bench = await startBench();
    bench.primary.always(failure(503, "overloaded"));
    await answers(bench, 2);
    for (const entry of [bench.primary, bench.backup]) await closeKept(entry);
    await preconnect(bench, "gpt-5.4");
    assert.equal(bench.preconnects[0]?.entry, "backup");
  });

  it("does not count when it fails", async () => {
    await using bench = await startBench(right, { hasBackup: false });
    const { baseUrl } = bench.settings;
    bench.settings = { ...bench.settings, baseUrl: "http://127.0.0.1:1" };
    await preconnect(bench);
    assert.equal(bench.preconnects[0]?.failure, "unreachable");
    assert.ok(bench.health.every(({ isHealthy }) => isHealthy));
    assert.deepEqual(bench.reports, []);
    bench.settings = { ...bench.settings, baseUrl };
    await answers(bench);
  });

  it("does nothing without a base URL, and reports an unusable certificate file", async () => {
    await using bench = await startBench(right, { settings: { baseUrl: "" } });
    await opensNone(bench);
    bench.settings = { ...bench.settings, baseUrl: "https://localhost", certificateFile: "/nowhere.pem" };
    await preconnect(bench);
    assert.equal(bench.preconnects[0]?.failure, "certificateFile");
  });

  it("is given up when the server does not shake hands", async () => {
    await using bench = await startBench(right, {
      primary: { certificate: "localhost", onConnection: () => undefined },
      limits: shortLimits,
    });
    await preconnect(bench);
    await closed(bench.primary);
  });

  it("passes its failure to a question that waits for it, which the backup answers", async () => {
    await using bench = await startBench(right, {
      primary: { certificate: "localhost", onConnection: (socket) => void setTimeout(() => socket.destroy(), 50) },
    });
    bench.gateway.preconnect();
    await answers(bench);
    assert.deepEqual([bench.primary.connections, bench.backup.posts], [1, 1]);
  });

  it("does not use the connection for a paid image", async () => {
    await using bench = await startBench();
    await preconnect(bench);
    assert.equal(await bench.outcome("image"), "answer");
    assert.equal(bench.primary.connections, 2);
  });

  it("is a tunnel through a proxy, which sees a CONNECT and nothing more", async () => {
    await using bench = await startBench(right, {
      primary: { certificate: "localhost" },
      settings: { ...overTls.settings, baseUrl: "https://gateway.test", backupBaseUrl: "" },
    });
    await using proxy = await startProxy({ "gateway.test": bench.primary });
    bench.settings = { ...bench.settings, proxy: { ...bench.settings.proxy, url: proxy.url } };
    await preconnect(bench);
    assert.deepEqual([bench.preconnects[0]?.failure, proxy.asked], [undefined, ["CONNECT gateway.test:443"]]);
    assert.deepEqual([bench.primary.connections, bench.primary.seen], [1, ""]);
    await answers(bench);
    assert.deepEqual([proxy.asked.length, bench.primary.connections], [1, 1]);
    await bench.gateway.dispose();
    await closed(proxy);
  });
});
