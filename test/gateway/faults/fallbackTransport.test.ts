import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import * as https from "node:https";
import { setTimeout as pause } from "node:timers/promises";
import type { AnswerPart } from "../../../src/gateway/types.ts";
import { type Bench, type BenchOptions, leavesNothing, startBench } from "../support/bench.ts";
import {
  allAsked,
  broken,
  delta,
  event,
  failure,
  firstUseOnly,
  preceded,
  raw,
  right,
  stream,
  unasked,
} from "../support/faults.ts";
import { certificateFile, type Fault, type FaultServer, type FaultServerOptions } from "../support/faultServer.ts";
import { lookupIn, withResolver } from "../support/lookup.ts";
import {
  always,
  brokeOff,
  each as outcomes,
  itEnds,
  limitsFor,
  nothing,
  oddHeads,
  useless,
} from "../support/scenario.ts";
import { each } from "../../support/each.ts";
import { until } from "../../support/until.ts";
import { question, textIn } from "../../support/localClient.ts";

const secure = { certificate: "localhost" } as const;
const trusted = { certificateFile: certificateFile("ca") };

/** What a resolver says about gateway.test: that it is here, an error code, or nothing at all. */
type Resolution = "here" | "ENOTFOUND" | "EAI_AGAIN" | "nothing";

/** The transport of a request, recognized by a header that only the fallback transport sends. */
function transportOf({ head }: { readonly head: string }): "undici" | "fallback" {
  return /^connection: close$/im.test(head) ? "fallback" : "undici";
}

describe("the fallback transport", () => {
  leavesNothing();
  /** The answers of the client's resolver, and of the one that VS Code's https uses. */
  const resolved: { undici: Resolution; fallback: Resolution } = { undici: "ENOTFOUND", fallback: "here" };
  /** How often undici has looked up gateway.test. */
  let lookUps = 0;
  const agent: { keepAlive?: boolean; options: object } = https.globalAgent;
  const { options, keepAlive = false } = agent;

  const answerOf = (transport: "undici" | "fallback", name: string) => {
    const resolution = name === "gateway.test" ? resolved[transport] : "here";
    if (resolution === "nothing") return undefined;
    return resolution === "here" ? ["127.0.0.1"] : resolution;
  };
  withResolver((name) => {
    if (name === "gateway.test") lookUps += 1;
    return answerOf("undici", name);
  });
  beforeEach(() => {
    Object.assign(resolved, { undici: "ENOTFOUND", fallback: "here" });
    lookUps = 0;
    agent.options = { ...options, lookup: lookupIn((name) => answerOf("fallback", name)) };
  });
  afterEach(() => {
    agent.options = options;
    agent.keepAlive = keepAlive;
    https.globalAgent.destroy();
  });

  /** A primary under a name that undici cannot resolve. */
  async function startHidden(options: BenchOptions = {}): Promise<Bench> {
    const both = { primary: secure, backup: secure };
    const bench = await startBench(right, { ...both, hasBackup: false, settings: trusted, ...options });
    bench.settings = { ...bench.settings, baseUrl: `https://gateway.test:${bench.primary.port}` };
    return bench;
  }

  /** Seconds that pass, the state of the network then (undici cannot connect, or can, or the fallback cannot), and who answers. */
  each<[steps: string], string>([
    [
      "is left after ten minutes, where undici connects again",
      "0 ENOTFOUND, 0 ENOTFOUND, 590 good, 20 good",
      "fallback, fallback, fallback, undici",
    ],
    [
      "is taken again where undici still cannot connect",
      "0 ENOTFOUND, 0 ENOTFOUND, 610 ENOTFOUND, 610 ENOTFOUND",
      "fallback, fallback, fallback, fallback",
    ],
    // Idle connections of undici expire meanwhile.
    [
      "is not stayed on after one hiccup of the resolver",
      "40 EAI_AGAIN, 0 good, 40 EAI_AGAIN, 5 good, 40 EAI_AGAIN, 600 good",
      "fallback, undici, fallback, undici, fallback, undici",
    ],
    [
      "is left when it is closed itself",
      "0 ENOTFOUND, 0 ENOTFOUND, 0 turned, 0 turned",
      "fallback, fallback, unreachable, undici",
    ],
  ]).gives(async (steps) => {
    await using bench = await startHidden();
    const seen: string[] = [];
    for (const [seconds = "", state = ""] of steps.split(", ").map((step) => step.split(" "))) {
      bench.clock.advance(Number(seconds) * 1_000);
      resolved.undici = state === "ENOTFOUND" || state === "EAI_AGAIN" ? state : "here";
      resolved.fallback = state === "turned" ? "ENOTFOUND" : "here";
      const outcome = await bench.outcome("chatJson");
      seen.push(outcome === "answer" ? bench.primary.requests.map(transportOf).join() : outcome);
      bench.primary.forget();
    }
    return seen.join(", ");
  });

  const resetting: FaultServerOptions = {
    certificate: "localhost",
    onConnection: (socket) => socket.resetAndDestroy(),
  };
  each<[primary: FaultServerOptions, resolution: Resolution], string>([
    ["is not taken after a reset while connecting", resetting, "here", "unreachable"],
    ["is not taken where a certificate is for another name", { certificate: "wrongHost" }, "here", "untrusted"],
    ["says that a server speaks no TLS", { onConnection: (socket) => socket.end("SSH-2.0") }, "ENOTFOUND", "notHttps"],
  ]).hold(async (primary, resolution, outcome) => {
    await using bench = await startHidden({ primary });
    resolved.undici = resolution;
    assert.deepEqual([await bench.outcome(), bench.primary.connections], [outcome, 1]);
  });

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
    assert.deepEqual([bench.primary.posts, bench.primary.connections], [4, 5]);
  });

  it("checks certificates even with NODE_TLS_REJECT_UNAUTHORIZED=0", async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    try {
      await using bench = await startHidden({ primary: { certificate: "selfSigned" } });
      for (const asked of ["chatJson", "image"] as const) assert.equal(await bench.outcome(asked), "untrusted");
      // The first one is repeated with the system's certificates.
      assert.deepEqual([bench.primary.posts, bench.primary.connections], [0, 3]);
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
  });

  it("does not take a slow reader's pause for the gateway's silence", async () => {
    for (const first of ["ENOTFOUND", "here"] as const) {
      resolved.undici = first;
      await using bench = await startHidden({ limits: { idle: 150 } });
      const obfuscation = "x".repeat(1 << 20);
      const chunks = ["a", "b", "c", "d", "e", "f", "."].map((part, at) => delta(part, at === 6 ? "stop" : null));
      bench.primary.next(stream(chunks.map((part) => event({ ...part, obfuscation })).join("") + event("[DONE]")));
      const parts: AnswerPart[] = [];
      for await (const part of bench.gateway.ask(question("Hi"), new AbortController().signal)) {
        parts.push(part);
        if (part.type === "text") await pause(parts.length < 4 ? 350 : 0);
      }
      assert.equal(textIn(parts), "abcdef.", first);
    }
  });

  describe("has the same outcome as undici after", () => {
    const badChunk: Fault = (exchange) => {
      broken({ after: 1, how: "stall" })(exchange);
      setTimeout(() => exchange.socket.write("zz\r\n"), 30);
    };
    const interims = `${unasked}HTTP/1.1 102 X\r\n\r\nHTTP/1.1 103 X\r\nlink: </x>\r\n\r\n`;
    const lengths = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello";
    const rows: typeof oddHeads = [
      ...oddHeads,
      ["100, 102 and 103", preceded(interims), always("answer 1+0")],
      ["the end in the headers", raw("HTTP/1.1 200 OK\r\nx-a: b\r\nx-", true), nothing()],
      ["two lengths", raw(lengths), nothing()],
      ["a bad chunk after the first part", badChunk, { ...useless("badGateway"), ...brokeOff }],
      ["the end after the first part", broken({ after: 1, how: "close" }), { ...nothing(), ...brokeOff }],
      ["silence after the first part", broken({ after: 1, how: "stall" }), { ...nothing("timeout"), ...brokeOff }],
      ["an error", failure(529, "x"), outcomes(allAsked, "answer 2+1", "overloaded 2+2")],
    ];
    for (const [title, fault, { chatStream, image }] of rows) {
      const isSlow = "headers" in limitsFor(title);
      const limits = { connect: 30_000, connectWithStandby: 30_000, ...(isSlow && { headers: 1_500, idle: 1_500 }) };
      const url = ({ port }: FaultServer): string => `https://gateway.test:${port}`;
      const trouble = { fault, limits, listens: secure, settings: trusted, url };
      itEnds(title, trouble, { ...(chatStream && { chatStream }), ...(image && { image }) });
    }
  });

  describe("behind a firewall that drops other connections", () => {
    beforeEach(() => {
      resolved.undici = "nothing";
    });
    const startFirewall = (hasBackup: boolean, connect = 2_000): Promise<Bench> =>
      startHidden({ limits: { connect, connectWithStandby: (3 * connect) / 4 }, hasBackup });

    for (const hasBackup of [true, false]) {
      it(`uses the ${hasBackup ? "primary, not the backup" : "only entry"}, at once once that is confirmed`, async () => {
        await using bench = await startFirewall(hasBackup);
        for (let turn = 0; turn < 5; turn += 1) assert.equal(await bench.outcome("chatJson"), "answer");
        assert.deepEqual([bench.posts, lookUps], ["5+0", 2]);
        assert.ok(bench.primary.requests.every((one) => transportOf(one) === "fallback"));
        assert.ok(bench.health.every(({ isHealthy }) => isHealthy));
        bench.clock.advance(610_000);
        assert.equal(await bench.outcome("image"), "answer");
        assert.deepEqual([bench.posts, lookUps], ["6+0", 3]);
      });
    }

    it("asks the backup where VS Code cannot connect either, and sends the primary nothing", async () => {
      await using bench = await startFirewall(true);
      resolved.fallback = "ENOTFOUND";
      assert.equal(await bench.outcome("chatJson"), "answer");
      assert.deepEqual([bench.posts, bench.primary.connections], ["0+1", 0]);
    });

    it("is left by Stop at once", async () => {
      await using bench = await startFirewall(true, 30_000);
      const cancel = new AbortController();
      const running = bench.outcome("chatJson", cancel.signal);
      await until(() => lookUps === 1, "the name is looked up");
      cancel.abort();
      assert.equal(await running, "cancelled");
      assert.equal(bench.primary.connections, 0);
    });
  });
});
