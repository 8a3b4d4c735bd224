import assert from "node:assert/strict";
import dns from "node:dns";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import * as https from "node:https";
import { syncBuiltinESMExports } from "node:module";
import type { LookupFunction } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { AnswerPart } from "../../../src/gateway/types.ts";
import { type Bench, leavesNothing, shortLimits, startBench } from "../../support/faults/bench.ts";
import {
  allAsked,
  broken,
  delta,
  event,
  failure,
  firstUseOnly,
  noStatus,
  oddHeads,
  preceded,
  raw,
  right,
  silence,
  stream,
  unasked,
} from "../../support/faults/faults.ts";
import { certificateFile, type Fault, type FaultServerOptions } from "../../support/faults/faultServer.ts";
import { until } from "../../support/until.ts";
import { question, textIn } from "../../support/localClient.ts";

/** The answer of a resolver about gateway.test: its address, or an error code. */
type Resolution = "127.0.0.1" | "ENOTFOUND" | "EAI_AGAIN";

/** The transport of a request, recognized by a header that only the fallback transport sends. */
function transportOf({ head }: { readonly head: string }): "undici" | "fallback" {
  return /^connection: close$/im.test(head) ? "fallback" : "undici";
}

describe("the fallback transport", () => {
  leavesNothing();
  /** The answers of the client's resolver, and of the one that VS Code's https uses. */
  const resolved: { undici: Resolution; fallback: Resolution } = { undici: "ENOTFOUND", fallback: "127.0.0.1" };
  const { lookup } = dns;
  const agent: { keepAlive?: boolean; options: object } = https.globalAgent;
  const { options, keepAlive = false } = agent;

  const answering =
    (transport: "undici" | "fallback"): LookupFunction =>
    (name, { all }, callback) => {
      const resolution = name === "gateway.test" ? resolved[transport] : "127.0.0.1";
      if (resolution !== "127.0.0.1") callback(Object.assign(new Error(resolution), { code: resolution }), "");
      else if (all) callback(null, [{ address: resolution, family: 4 }]);
      else callback(null, resolution, 4);
    };

  beforeEach(() => {
    Object.assign(resolved, { undici: "ENOTFOUND", fallback: "127.0.0.1" });
    Object.assign(dns, { lookup: answering("undici") });
    syncBuiltinESMExports();
    agent.options = { ...options, lookup: answering("fallback") };
  });
  afterEach(() => {
    Object.assign(dns, { lookup });
    syncBuiltinESMExports();
    agent.options = options;
    agent.keepAlive = keepAlive;
    https.globalAgent.destroy();
  });

  async function startHidden(limits = {}, primary: FaultServerOptions = { certificate: "localhost" }): Promise<Bench> {
    const settings = { backupBaseUrl: "", certificateFile: certificateFile("ca") };
    const bench = await startBench(right, { primary, limits, settings });
    bench.settings = { ...bench.settings, baseUrl: `https://gateway.test:${bench.primary.port}` };
    return bench;
  }

  /** The state of the network: undici cannot connect, both can, or the fallback cannot. */
  type State = "bad" | "good" | "turned";
  type Step = readonly [pause: number, state: State, expected: "undici" | "fallback" | "unreachable"];
  const takenForGood: readonly Step[] = [
    [0, "bad", "fallback"],
    [10_000, "bad", "fallback"],
  ];
  const hiccups = [0, 5_000, 600_000].flatMap((pause): readonly Step[] => [
    // Lets idle connections of undici expire.
    [40_000, "bad", "fallback"],
    [0, "bad", "fallback"],
    [pause, "good", "undici"],
  ]);
  const days: Readonly<Record<string, readonly Step[]>> = {
    "is left after ten minutes, where undici connects again": [
      ...takenForGood,
      [590_000, "good", "fallback"],
      [20_000, "good", "undici"],
    ],
    "is taken again where undici still cannot connect": [
      ...takenForGood,
      [610_000, "bad", "fallback"],
      [610_000, "bad", "fallback"],
    ],
    "is not stayed on after one hiccup of the resolver": hiccups,
    "is stayed on where the resolver fails again later": [...takenForGood, [0, "good", "fallback"]],
    "is left when it is closed itself": [...takenForGood, [0, "turned", "unreachable"], [0, "turned", "undici"]],
  };
  for (const [title, steps] of Object.entries(days)) {
    for (const bad of ["ENOTFOUND", "EAI_AGAIN"] as const) {
      it(`${title}: ${bad}`, async () => {
        await using bench = await startHidden();
        const seen: string[] = [];
        for (const [pause, state] of steps) {
          bench.clock.advance(pause);
          resolved.undici = state === "bad" ? bad : "127.0.0.1";
          resolved.fallback = state === "turned" ? "ENOTFOUND" : "127.0.0.1";
          const outcome = await bench.outcome("chatJson");
          seen.push(outcome === "answer" ? bench.primary.requests.map(transportOf).join() : outcome);
          bench.primary.forget();
        }
        const expected = steps.map(([, , transport]) => transport);
        assert.deepEqual(seen, expected);
      });
    }
  }

  const resetting: FaultServerOptions = {
    certificate: "localhost",
    onConnection: (socket) => socket.resetAndDestroy(),
  };
  for (const [title, primary, resolution, outcome] of [
    ["is not taken after a reset while connecting", resetting, "127.0.0.1", "unreachable"],
    ["is not taken where a certificate is for another name", { certificate: "wrongHost" }, "127.0.0.1", "untrusted"],
    [
      "says that a server speaks no TLS",
      { onConnection: (socket) => socket.end("SSH-2.0-OpenSSH\r\n") },
      "ENOTFOUND",
      "notHttps",
    ],
  ] as const satisfies readonly (readonly [string, FaultServerOptions, Resolution, string])[]) {
    it(title, async () => {
      await using bench = await startHidden({}, primary);
      resolved.undici = resolution;
      assert.deepEqual([await bench.outcome(), bench.primary.connections], [outcome, 1]);
    });
  }

  it("opens a new connection for every request, although Node's agent has an idle one", async () => {
    agent.keepAlive = true;
    // As in VS Code, which adds certificates to the agent. A request with its own `ca` would not share a connection.
    agent.options = { ...agent.options, ca: readFileSync(certificateFile("ca")) };
    await using bench = await startHidden();
    bench.settings = { ...bench.settings, certificateFile: "" };
    const { port } = bench.primary;
    bench.primary.always(firstUseOnly());
    // Another extension's connection to the same host, with the very same options.
    const get = https.get(`https://gateway.test:${port}/`, { rejectUnauthorized: true });
    const [incoming] = (await once(get, "response")) as [NodeJS.ReadableStream];
    await once(incoming.resume(), "end");
    await until(() => Object.keys(https.globalAgent.freeSockets).length === 1, "the connection is kept");
    bench.primary.forget();
    for (const asked of ["image", "image", "chatJson", "image"] as const) {
      assert.equal(await bench.outcome(asked), "answer", asked);
    }
    assert.equal(bench.primary.posts, 4);
    assert.equal(bench.primary.connections, 5);
  });

  it("checks certificates even with NODE_TLS_REJECT_UNAUTHORIZED=0", async () => {
    const name = "NODE_TLS_REJECT_UNAUTHORIZED";
    process.env[name] = "0";
    try {
      await using bench = await startHidden({}, { certificate: "selfSigned" });
      for (const asked of ["chatJson", "image"] as const) {
        assert.equal(await bench.outcome(asked), "untrusted");
      }
      // The first one is repeated with the system's certificates.
      assert.deepEqual([bench.primary.posts, bench.primary.connections], [0, 3]);
    } finally {
      Reflect.deleteProperty(process.env, name);
    }
  });

  it("does not take a slow reader's pause for the gateway's silence", async () => {
    for (const first of ["ENOTFOUND", "127.0.0.1"] as const) {
      resolved.undici = first;
      await using bench = await startHidden({ idle: 300 });
      const obfuscation = "x".repeat(1 << 20);
      const chunks = ["a", "b", "c", "d", "e", "f", "."].map((part, at) => delta(part, at === 6 ? "stop" : null));
      bench.primary.next(stream(chunks.map((part) => event({ ...part, obfuscation })).join("") + event("[DONE]")));
      const parts: AnswerPart[] = [];
      for await (const part of bench.gateway.ask(question("Hi"), new AbortController().signal)) {
        parts.push(part);
        if (part.type === "text") await pause(parts.length < 5 ? 700 : 0);
      }
      assert.equal(textIn(parts), "abcdef.", first);
    }
  });

  const badChunk: Fault = (exchange) => {
    broken({ after: 1, how: "stall" })(exchange);
    setTimeout(() => exchange.socket.write("zz\r\n"), 30);
  };
  const faults: Readonly<Record<string, Fault>> = {
    ...oddHeads,
    ...Object.fromEntries(noStatus),
    "100, 102 and 103": preceded(`${unasked}HTTP/1.1 102 X\r\n\r\nHTTP/1.1 103 X\r\nlink: </x>\r\n\r\n`),
    "garbage, then the end": raw("GARBAGE\r\n\r\n", true),
    "the end": raw("", true),
    "the end in the status line": raw("HTTP/1.1 20", true),
    "the end in the headers": raw("HTTP/1.1 200 OK\r\nx-a: b\r\nx-", true),
    "two lengths": raw("HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello"),
    "a bad chunk": raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nhello"),
    "the end in a chunk": broken({ after: 0, how: "close" }),
    "the end before the length": broken({ framing: "length", after: 0, how: "close" }),
    "a bad chunk after the first part": badChunk,
    "the end after the first part": broken({ after: 1, how: "close" }),
    "silence in the body": broken({ after: 0, how: "stall" }),
    "silence after the first part": broken({ after: 1, how: "stall" }),
    "an error": failure(529, "x"),
  };
  for (const [title, fault] of Object.entries(faults)) {
    it(`has the same outcome as undici after ${title}`, async () => {
      const ends = async (first: Resolution): Promise<readonly unknown[]> => {
        resolved.undici = first;
        await using bench = await startHidden({ ...shortLimits, connect: 10_000 });
        const results = [];
        bench.primary.always(fault);
        for (const asked of ["chatStream", "image"] as const) {
          const { outcome, error } = await bench.result(asked);
          results.push([asked, outcome, error?.sent, bench.primary.posts]);
          await until(() => bench.primary.busy === 0, "no connection is in use");
          bench.clock.advance(60_000);
        }
        if (first === "ENOTFOUND") assert.ok(!bench.primary.requests.map(transportOf).includes("undici"));
        return results;
      };
      assert.deepEqual(await ends("ENOTFOUND"), await ends("127.0.0.1"));
    });
  }

  for (const isCancelled of [false, true]) {
    it(`leaves a silent entry for the other${isCancelled ? ", and is left at once by Stop" : ""}`, async () => {
      await using bench = await startBench(isCancelled ? silence : right, {
        primary: { certificate: "localhost" },
        backup: { certificate: "localhost" },
        limits: { silence: 60, connect: 300, connectWithStandby: 250 },
        settings: { certificateFile: certificateFile("ca") },
      });
      const { primary, backup } = bench;
      const [baseUrl, backupBaseUrl] = [primary, backup].map(({ port }) => `https://gateway.test:${port}`);
      bench.settings = { ...bench.settings, baseUrl: baseUrl ?? "", backupBaseUrl: backupBaseUrl ?? "" };
      primary.isAlive = false;
      primary.always(silence);
      const cancel = new AbortController();
      const running = bench.outcome("chatStream", cancel.signal);
      await until(() => backup.posts === 1, "the other is asked");
      if (isCancelled) cancel.abort();
      assert.equal(await running, isCancelled ? "cancelled" : "answer");
      await until(() => primary.busy === 0, "the silent request is canceled");
      assert.ok([...primary.requests, ...backup.requests].every((one) => transportOf(one) === "fallback"));
    });
  }

  describe("behind a firewall that drops other connections", () => {
    /** A primary that only VS Code's https reaches, and the number of other attempts. */
    const hidden = async (hasBackup: boolean): Promise<Bench & { readonly dropped: () => number }> => {
      const bench = await startBench(right, {
        primary: { certificate: "localhost" },
        backup: { certificate: "localhost" },
        limits: { connect: 2_000, connectWithStandby: 1_000 },
        settings: { certificateFile: certificateFile("ca") },
        hasBackup,
      });
      let dropped = 0;
      Object.assign(dns, {
        lookup: ((name, options, callback) => {
          // Never calls back, as if no packet returned.
          if (name === "gateway.test") dropped += 1;
          else answering("undici")(name, options, callback);
        }) satisfies LookupFunction,
      });
      syncBuiltinESMExports();
      bench.settings = { ...bench.settings, baseUrl: `https://gateway.test:${bench.primary.port}` };
      return Object.assign(bench, { dropped: () => dropped });
    };

    for (const hasBackup of [true, false]) {
      it(`uses the ${hasBackup ? "primary, not the backup" : "only entry"}, at once once that is confirmed`, async () => {
        await using bench = await hidden(hasBackup);
        for (let turn = 0; turn < 12; turn += 1) assert.equal(await bench.outcome("chatJson"), "answer");
        assert.deepEqual([bench.posts, bench.dropped()], ["12+0", 2]);
        assert.ok(bench.primary.requests.every((one) => transportOf(one) === "fallback"));
        assert.ok(bench.health.every(({ isHealthy }) => isHealthy));
        bench.clock.advance(610_000);
        assert.equal(await bench.outcome("image"), "answer");
        assert.deepEqual([bench.posts, bench.dropped()], ["13+0", 3]);
      });
    }

    it("asks the backup in time where VS Code cannot connect either, and sends the primary nothing", async () => {
      await using bench = await hidden(true);
      resolved.fallback = "ENOTFOUND";
      const start = performance.now();
      assert.equal(await bench.outcome("chatJson"), "answer");
      assert.ok(performance.now() - start < 2_000);
      assert.deepEqual([bench.posts, bench.primary.connections], ["0+1", 0]);
    });

    it("is left by Stop at once", async () => {
      await using bench = await hidden(true);
      const cancel = new AbortController();
      const running = bench.outcome("chatJson", cancel.signal);
      await until(() => bench.dropped() === 1, "the name is looked up");
      const start = performance.now();
      cancel.abort();
      assert.equal(await running, "cancelled");
      assert.ok(performance.now() - start < 50);
      assert.equal(bench.primary.connections, 0);
    });
  });

  it("answers every operation", async () => {
    await using bench = await startHidden();
    for (const asked of allAsked) assert.equal(await bench.outcome(asked), "answer");
  });
});
