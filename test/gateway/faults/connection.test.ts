import assert from "node:assert/strict";
import { mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as connectionsAtRest, setTimeout as pause } from "node:timers/promises";
import { defaultTimeLimits } from "../../../src/gateway/timeLimits.ts";
import { leavesNothing, shortLimits, startBench } from "../support/bench.ts";
import { allAsked, chunk, firstUseOnly, right, rightAnswer } from "../support/faults.ts";
import { certificateFile } from "../support/faultServer.ts";
import { withResolver } from "../support/lookup.ts";
import { each, itEnds } from "../support/scenario.ts";

const notConnected = each(allAsked, "answer 0+1", "unreachable 0+0");
const minute = 60_000;
const trusted = { certificateFile: certificateFile("ca") };

describe("faults: connection", () => {
  leavesNothing();

  const mute = { certificate: "localhost", onConnection: () => undefined } as const;
  const resetting = { certificate: "localhost", onConnection: (socket: Socket) => socket.resetAndDestroy() } as const;
  const offline = each(allAsked, "answer 0+1", "offline 0+0");
  withResolver((name) => (name.endsWith(".test") ? "ENOTFOUND" : ["127.0.0.1"]));
  itEnds("refused", { url: () => "http://127.0.0.1:1" }, notConnected);
  itEnds("no address", { url: (_, name) => `https://${name}.test` }, offline);
  itEnds("accepted, but no handshake", { listens: mute, limits: shortLimits }, notConnected);
  itEnds("reset on accept", { listens: resetting }, notConnected);

  it("leaves the breakers alone when neither entry has an address", async () => {
    await using bench = await startBench(right, {
      settings: { baseUrl: "https://primary.test", backupBaseUrl: "https://backup.test" },
    });
    for (const asked of allAsked) assert.equal(await bench.outcome(asked), "offline");
    assert.ok(bench.health.every(({ isHealthy }) => isHealthy));
  });

  it("gives up within 3 s when a backup stands by", async () => {
    assert.equal(defaultTimeLimits.connectWithStandby, 3_000);
    const limits = { connect: minute, connectWithStandby: 300 };
    await using bench = await startBench(right, { primary: mute, limits });
    assert.equal(await bench.outcome(), "answer");
    assert.equal(await bench.outcome(), "answer");
    assert.equal(bench.primary.connections, 1);
  });

  it("serves the next question although the body's end comes in a packet after [DONE]", async () => {
    await using bench = await startBench(({ socket, request, done }) => {
      const { type, pieces } = rightAnswer(request);
      const head = `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`;
      socket.write(head + chunk(pieces.join("")));
      void pause(10).then(() => {
        socket.write("0\r\n\r\n");
        done();
      });
    });
    for (let turn = 1; turn <= 5; turn += 1) {
      assert.equal(await bench.outcome(), "answer");
      await pause(30);
    }
    // One, unless a busy machine starts a turn before it has read the end of the last body.
    assert.ok(bench.primary.connections < 5, `${bench.primary.connections} connections for 5 questions`);
  });

  describe("a kept connection is stale", () => {
    for (const asked of allAsked) {
      it(`lost when it is used again: ${asked}`, async () => {
        await using bench = await startBench(firstUseOnly());
        for (const use of ["first", "second"]) {
          assert.equal(await bench.outcome(asked), "answer", use);
          await connectionsAtRest();
        }
        assert.equal(bench.posts, asked === "image" ? "2+0" : "3+0");
      });

      it(`closed or reset, which is noticed only when it is used again: ${asked}`, async () => {
        await using bench = await startBench();
        for (const how of ["closeIdle", "resetIdle", "closeIdle"] as const) {
          assert.equal(await bench.outcome(asked), "answer", how);
          await connectionsAtRest();
          // Without a turn of the event loop before the next question.
          bench.primary[how]();
        }
        const failures = bench.reports.map(({ failure }) => failure);
        assert.deepEqual([bench.posts, failures], ["3+0", Array(3).fill(undefined)]);
        assert.ok(bench.health.every(({ isHealthy }) => isHealthy));
      });
    }

    it("like all other idle ones", async () => {
      await using bench = await startBench(right, { hasBackup: false });
      const askAtOnce = (count: number) => Promise.all(Array.from({ length: count }, () => bench.outcome()));
      await askAtOnce(3);
      await connectionsAtRest();
      bench.primary.resetIdle();
      assert.deepEqual(await askAtOnce(4), ["answer", "answer", "answer", "answer"]);
      assert.equal(bench.primary.posts, 7);
    });

    it("and its entry is gone: nothing is sent, the backup is asked", async () => {
      await using bench = await startBench();
      assert.equal(await bench.outcome(), "answer");
      await connectionsAtRest();
      bench.primary.resetIdle();
      await bench.primary.stop();
      assert.equal(await bench.outcome(), "answer");
      assert.equal(bench.backup.posts, 1);
    });
  });
});

/** Several handshakes at once and the system's certificates take seconds on a busy machine. */
const limits = {
  connect: minute,
  connectWithStandby: minute,
  silence: minute,
  silenceWithStandby: minute,
  silenceAfterCheck: minute,
};

describe("faults: TLS (counting connections)", () => {
  leavesNothing();

  const cases = [
    ["signed by itself: once more with the system's certificates", "selfSigned", {}, "untrusted 2+0"],
    ["unknown issuer", "localhost", {}, "untrusted 2+0"],
    ["wrong host name: no second try", "wrongHost", trusted, "untrusted 1+0"],
    ["an issuer from the certificate file is trusted", "localhost", trusted, "answer 1+0"],
  ] as const;
  const ends = (end: string) => each(["chatStream", "image"], end);
  for (const [title, certificate, settings, end] of cases) {
    itEnds(title, { listens: { certificate }, settings, count: "connections", limits }, ends(end));
  }
  for (const said of ["HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-OpenSSH\r\n", "<html>"]) {
    const listens = { certificate: "localhost", onConnection: (socket: Socket) => socket.end(said) } as const;
    const title = `https to a plain port: ${JSON.stringify(said)}`;
    itEnds(title, { listens, count: "connections", limits }, ends("notHttps 1+0"));
  }

  it("is not switched off by the environment: a certificate for another host", async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    try {
      const wrong = { primary: { certificate: "wrongHost" }, settings: trusted } as const;
      await using bench = await startBench(right, { ...wrong, limits, hasBackup: false });
      for (const asked of ["chatJson", "image"] as const) assert.equal(await bench.outcome(asked), "untrusted");
      assert.deepEqual([bench.primary.posts, bench.primary.connections], [0, 2]);
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
  });

  it("says which file cannot be used", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "codex-certificates-"));
    const large = join(folder.path, "large.pem");
    await writeFile(large, (await readFile(certificateFile("ca"), "utf8")) + "\n".repeat(1_000_000));
    const endless = process.platform === "win32" ? [] : ["/dev/zero", "/dev/stdin"];
    for (const file of ["/nowhere/ca.pem", import.meta.filename, folder.path, large, ...endless]) {
      await using bench = await startBench(right, { settings: { certificateFile: file } });
      assert.equal(await bench.outcome(), "certificateFile", file);
      bench.settings = { ...bench.settings, ...trusted };
      assert.equal(await bench.outcome(), "answer");
    }
  });
});
