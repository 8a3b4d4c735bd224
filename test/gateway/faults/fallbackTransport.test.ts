import assert from "node:assert/strict";
import dns from "node:dns";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import * as https from "node:https";
import { syncBuiltinESMExports } from "node:module";
import type { LookupFunction } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { AnswerPart } from "../../../src/gateway/types.ts";
import { allAsked, type Asked, delta, question, right, rightAnswers, send } from "../../support/faults/answers.ts";
import { type Bench, shortLimits, startBench } from "../../support/faults/bench.ts";
import { broken, drip, raw, reset, silence } from "../../support/faults/faults.ts";
import { certificateFile, type Fault, type FaultServerOptions } from "../../support/faults/faultServer.ts";
import { leavesNothing } from "../../support/faults/leavesNothing.ts";
import { resultOf } from "../../support/faults/scenario.ts";
import { until } from "../../support/gateway/until.ts";
import { textIn } from "../../support/localClient.ts";

/** What a resolver says about gateway.test: where it is, or why that is not known. */
type Resolution = "127.0.0.1" | "ENOTFOUND" | "EAI_AGAIN";

/** How a request came, by the header that only the fallback transport sends. */
function transportOf({ head }: { readonly head: string }): "undici" | "fallback" {
  return /^connection: close$/im.test(head) ? "fallback" : "undici";
}

describe("the fallback transport", () => {
  leavesNothing();
  /** What the client's resolver says, and the one that VS Code's own https uses. */
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
    agent.options = { ...options, lookup: answering("fallback"), ca: readFileSync(certificateFile("ca")) };
  });
  afterEach(() => {
    Object.assign(dns, { lookup });
    syncBuiltinESMExports();
    agent.options = options;
    agent.keepAlive = keepAlive;
    https.globalAgent.destroy();
  });

  /** Makes the client know that the resolver's failure lasts. */
  async function takeForGood(bench: Bench): Promise<void> {
    assert.equal(await outcomeOf(bench), "answer");
    bench.clock.advance(10_000);
    assert.equal(await outcomeOf(bench), "answer");
    bench.primary.forget();
  }

  async function startHidden(limits = {}, primary: FaultServerOptions = { certificate: "localhost" }): Promise<Bench> {
    const bench = await startBench(right("chatJson"), {
      primary,
      limits,
      settings: { backupBaseUrl: "", certificateFile: certificateFile("ca") },
    });
    bench.settings = { ...bench.settings, baseUrl: `https://gateway.test:${bench.primary.port}` };
    return bench;
  }

  const outcomeOf = async (bench: Bench, asked: Asked = "chatJson"): Promise<string> =>
    (await resultOf(bench.gateway, asked)).outcome;

  it("is left after ten minutes, where undici connects again", async () => {
    await using bench = await startHidden();
    await takeForGood(bench);
    resolved.undici = "127.0.0.1";
    bench.clock.advance(590_000);
    assert.equal(await outcomeOf(bench), "answer");
    bench.clock.advance(20_000);
    assert.equal(await outcomeOf(bench), "answer");
    assert.deepEqual(bench.primary.requests.map(transportOf), ["fallback", "undici"]);
  });

  it("is taken again where undici still cannot connect", async () => {
    await using bench = await startHidden();
    for (let turn = 1; turn <= 3; turn += 1) {
      assert.equal(await outcomeOf(bench), "answer");
      bench.clock.advance(610_000);
    }
    assert.deepEqual(bench.primary.requests.map(transportOf), ["fallback", "fallback", "fallback"]);
  });

  for (const hiccup of ["ENOTFOUND", "EAI_AGAIN"] as const) {
    it(`is not stayed on after one hiccup of the resolver: ${hiccup}`, async () => {
      await using bench = await startHidden();
      for (const pause of [0, 5_000, 600_000]) {
        resolved.undici = hiccup;
        assert.equal(await outcomeOf(bench), "answer");
        assert.equal(await outcomeOf(bench), "answer");
        resolved.undici = "127.0.0.1";
        bench.clock.advance(pause);
        assert.equal(await outcomeOf(bench), "answer");
        // So that no connection of undici is kept.
        bench.clock.advance(40_000);
      }
      const used = ["fallback", "fallback", "undici"];
      assert.deepEqual(bench.primary.requests.map(transportOf), [...used, ...used, ...used]);
    });

    it(`is stayed on where the resolver fails again later: ${hiccup}`, async () => {
      await using bench = await startHidden();
      resolved.undici = hiccup;
      await takeForGood(bench);
      resolved.undici = "127.0.0.1";
      assert.equal(await outcomeOf(bench), "answer");
      assert.deepEqual(bench.primary.requests.map(transportOf), ["fallback"]);
    });
  }

  it("is not taken after a reset while connecting", async () => {
    await using bench = await startHidden(
      {},
      { certificate: "localhost", onConnection: (socket) => socket.resetAndDestroy() },
    );
    resolved.undici = "127.0.0.1";
    assert.equal(await outcomeOf(bench), "unreachable");
    assert.equal(bench.primary.connections, 1);
  });

  it("is not taken to a host whose certificate is for another name", async () => {
    await using bench = await startHidden({}, { certificate: "wrongHost" });
    resolved.undici = "127.0.0.1";
    assert.equal(await outcomeOf(bench), "untrusted");
    assert.equal(bench.primary.connections, 1);
  });

  it("says that a server speaks no TLS", async () => {
    await using bench = await startHidden({}, { onConnection: (socket) => socket.end("SSH-2.0-OpenSSH\r\n") });
    assert.equal(await outcomeOf(bench), "notHttps");
    assert.equal(bench.primary.connections, 1);
  });

  it("is left when it is closed itself", async () => {
    await using bench = await startHidden();
    await takeForGood(bench);
    Object.assign(resolved, { undici: "127.0.0.1", fallback: "ENOTFOUND" });
    assert.equal(await outcomeOf(bench), "unreachable");
    assert.equal(await outcomeOf(bench), "answer");
    assert.deepEqual(bench.primary.requests.map(transportOf), ["undici"]);
  });

  it("takes a new connection for every request, whatever Node's agent keeps", async () => {
    agent.keepAlive = true;
    await using bench = await startHidden();
    const { port } = bench.primary;
    const used = new Set<unknown>();
    bench.primary.always((exchange) => {
      const isReused = used.has(exchange.socket);
      used.add(exchange.socket);
      (isReused ? reset : right(exchange.request.path.includes("images") ? "image" : "chatJson"))(exchange);
    });
    // Another extension's connection to the same host, with the very same options.
    const get = https.get(`https://gateway.test:${port}/`, { rejectUnauthorized: true });
    const [incoming] = (await once(get, "response")) as [NodeJS.ReadableStream];
    await once(incoming.resume(), "end");
    await until(() => Object.keys(https.globalAgent.freeSockets).length === 1, 2_000, "the connection is kept");
    bench.primary.forget();
    for (const asked of ["image", "image", "chatJson", "image"] as const) {
      assert.equal(await outcomeOf(bench, asked), "answer", asked);
    }
    assert.equal(bench.primary.posts, 4);
    assert.equal(bench.primary.connections, 5);
  });

  it("checks certificates whatever the environment says", async () => {
    const name = "NODE_TLS_REJECT_UNAUTHORIZED";
    process.env[name] = "0";
    try {
      agent.options = { ...options, lookup: answering("fallback") };
      await using bench = await startHidden({}, { certificate: "selfSigned" });
      for (const asked of ["chatJson", "image"] as const) {
        assert.equal(await outcomeOf(bench, asked), "untrusted");
      }
      assert.deepEqual([bench.primary.posts, bench.primary.connections], [0, 2]);
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
      const events = chunks.map((part) => `data: ${JSON.stringify({ ...part, obfuscation })}\n\n`).join("");
      bench.primary.next(send(200, "text/event-stream", `${events}data: [DONE]\n\n`));
      const parts: AnswerPart[] = [];
      for await (const part of bench.gateway.ask(question, new AbortController().signal)) {
        parts.push(part);
        if (part.type === "text") await pause(parts.length < 5 ? 700 : 0);
      }
      assert.equal(textIn(parts), "abcdef.", first);
    }
  });

  const unasked = "HTTP/1.1 100 Continue\r\n\r\n";
  const after =
    (head: string): Fault =>
    (exchange) => {
      exchange.socket.write(head);
      right(exchange.request.path.includes("images") ? "image" : "chatStream")(exchange);
    };
  const faults: Record<string, Fault> = {
    "100, 102 and 103 before 200": after(`${unasked}HTTP/1.1 102 X\r\n\r\nHTTP/1.1 103 X\r\nlink: </x>\r\n\r\n`),
    "101": raw("HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"),
    "nothing but 100": drip("", unasked.repeat(50), 1),
    garbage: raw("GARBAGE\r\n\r\n"),
    "garbage, then the end": ({ socket }) => void socket.end("GARBAGE\r\n\r\n"),
    "the end": ({ socket }) => void socket.end(),
    "the end in the status line": ({ socket }) => void socket.end("HTTP/1.1 20"),
    "the end in the headers": ({ socket }) => void socket.end("HTTP/1.1 200 OK\r\nx-a: b\r\nx-"),
    "a closed connection": ({ socket }) => void socket.destroy(),
    "headers over 16 KB": send(200, "application/json", "{}", `x-long: ${"x".repeat(20_000)}\r\n`),
    "two lengths": raw("HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello"),
    "a bad chunk": raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nhello"),
    "the end in a chunk": broken("chatStream", { framing: "chunked", after: 0, how: "close" }),
    "the end before the length": broken("chatStream", { framing: "length", after: 0, how: "close" }),
    "a bad chunk after the first part": ({ socket }) => {
      const { type, pieces } = rightAnswers.chatStream;
      const piece = pieces[0] ?? "";
      const length = Buffer.byteLength(piece).toString(16);
      const head = `content-type: ${type}\r\ntransfer-encoding: chunked`;
      socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${length}\r\n${piece}\r\n`);
      setTimeout(() => socket.write("zz\r\n"), 30);
    },
    "the end after the first part": broken("chatStream", { framing: "chunked", after: 1, how: "close" }),
    silence: silence,
    "silence in the body": broken("chatStream", { framing: "chunked", after: 0, how: "stall" }),
    "silence after the first part": broken("chatStream", { framing: "chunked", after: 1, how: "stall" }),
    "slow headers": drip("HTTP/1.1 200 OK\r\nx-slow: ", "x", 50),
    "an error": send(529, "application/json", "{}"),
    "no content": ({ socket, done }) => {
      socket.write("HTTP/1.1 204 No Content\r\n\r\n");
      done();
    },
  };
  for (const start of ["000", "099", "42", "0", "-1", "1000", "abc", "", "103 Early\r\n\r\nHTTP/1.1 099"]) {
    faults[`no status: ${JSON.stringify(start)}`] = raw(`HTTP/1.1 ${start} X\r\n\r\n{}`);
    faults[`no status, and the end: ${JSON.stringify(start)}`] = ({ socket }) =>
      void socket.end(`HTTP/1.1 ${start} X\r\n\r\n`);
  }
  for (const [title, fault] of Object.entries(faults)) {
    it(`tells the same as undici after ${title}`, async () => {
      const ends = async (first: Resolution): Promise<readonly unknown[]> => {
        resolved.undici = first;
        await using bench = await startHidden(shortLimits);
        const results = [];
        for (const asked of ["chatStream", "image"] as const) {
          bench.primary.always(fault);
          const { outcome, error } = await resultOf(bench.gateway, asked);
          results.push([asked, outcome, error?.sent, bench.primary.posts]);
          await until(() => bench.primary.busy === 0, 2_000, "no connection is in use");
          bench.clock.advance(60_000);
        }
        assert.ok(
          bench.primary.requests.every(
            (one) => transportOf(one) === (first === "ENOTFOUND" ? "fallback" : transportOf(one)),
          ),
        );
        return results;
      };
      assert.deepEqual(await ends("ENOTFOUND"), await ends("127.0.0.1"));
    });
  }

  it("leaves a silent entry for the other, and is left at once by Stop", async () => {
    for (const isCancelled of [false, true]) {
      await using bench = await startBench(right("chatStream"), {
        primary: { certificate: "localhost" },
        backup: { certificate: "localhost" },
        limits: { silence: 60, connect: 300, connectWithStandby: 250 },
        settings: { certificateFile: certificateFile("ca") },
      });
      const urlOf = ({ port }: { readonly port: number }): string => `https://gateway.test:${String(port)}`;
      bench.settings = { ...bench.settings, baseUrl: urlOf(bench.primary), backupBaseUrl: urlOf(bench.backup) };
      bench.primary.isAlive = false;
      bench.primary.always(silence);
      if (isCancelled) bench.backup.always(silence);
      const cancel = new AbortController();
      const running = resultOf(bench.gateway, "chatStream", cancel.signal);
      await until(() => bench.backup.posts === 1, 5_000, "the other is asked");
      if (isCancelled) cancel.abort();
      assert.equal((await running).outcome, isCancelled ? "cancelled" : "answer");
      await until(() => bench.primary.busy === 0, 200, "the silent request is canceled");
      assert.deepEqual(
        [...bench.primary.requests, ...bench.backup.requests].map(transportOf).includes("undici"),
        false,
      );
    }
  });

  it("answers every operation, and says who asks", async () => {
    await using bench = await startHidden();
    for (const asked of allAsked) {
      bench.primary.always(right(asked));
      assert.equal(await outcomeOf(bench, asked), "answer");
    }
    assert.ok(bench.primary.requests.every(({ head }) => /^user-agent: codex-gateway\/\d/im.test(head)));
  });
});
