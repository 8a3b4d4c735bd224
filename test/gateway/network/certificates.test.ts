import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import workers from "node:worker_threads";
import { clientFor, leavesNothing, resultOf, startBench } from "../support/bench.ts";
import { right } from "../support/faults.ts";
import { until } from "../../support/until.ts";

describe("the system's certificates, asked for after a trust failure", () => {
  leavesNothing();
  const { Worker } = workers;
  const started: EventEmitter[] = [];

  beforeEach(() => {
    started.length = 0;
    Object.assign(workers, {
      Worker: class extends EventEmitter {
        constructor() {
          super();
          started.push(this);
        }
      },
    });
    syncBuiltinESMExports();
  });
  afterEach(() => {
    Object.assign(workers, { Worker });
    syncBuiltinESMExports();
  });

  const startUntrusted = (limits = {}) =>
    startBench(right, { primary: { certificate: "selfSigned" }, limits, hasBackup: false });
  const isLoading = (): Promise<unknown> => until(() => started.length === 1, "the worker has started");

  for (const how of ["ends without a message", "fails"]) {
    it(`count as none if their worker ${how}`, async () => {
      await using bench = await startUntrusted();
      const running = bench.outcome();
      await isLoading();
      if (how === "fails") started[0]?.emit("error", new Error("Out of memory"));
      started[0]?.emit("exit", 1);
      assert.equal(await running, "untrusted");
      assert.equal(bench.primary.connections, 2);
    });
  }

  it("can be interrupted by Stop, and by closing the client", async () => {
    await using bench = await startUntrusted();
    const gateway = clientFor(() => bench.settings, {});
    const cancel = new AbortController();
    const running = [bench.outcome("image", cancel.signal), resultOf(gateway, "image").then(({ outcome }) => outcome)];
    await until(() => started.length === 2, "both workers have started");
    cancel.abort();
    await gateway.dispose();
    assert.deepEqual(await Promise.all(running), ["cancelled", "interrupted"]);
    assert.equal(bench.primary.posts, 0);
  }).timeout(5_000);

  it("must load within the connect timeout", async () => {
    await using bench = await startUntrusted({ connect: 300 });
    const running = bench.outcome();
    await isLoading();
    assert.equal(await running, "unreachable");
    started[0]?.emit("message", []);
    assert.equal(await bench.outcome(), "untrusted");
    assert.equal(started.length, 1);
  });
});
