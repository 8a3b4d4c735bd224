import assert from "node:assert/strict";
import * as http from "node:http";
import { connect, type Socket } from "node:net";
import { assertNoKey, assertUsual, type BenchOptions, download } from "../support/bench.ts";
import { leavesNothing, shortLimits, startBench } from "../support/bench.ts";
import { chunk, close, drip, failure, raw, reset, send, silence } from "../support/faults.ts";
import { type Fault, FaultServer } from "../support/faultServer.ts";
import { withResolver } from "../support/lookup.ts";
import { startProxy } from "../support/proxy.ts";
import { tinyPng } from "../../support/gateway/png.ts";
import { until } from "../../support/until.ts";
import { plainSettings } from "../../support/plainSettings.ts";

const sendImage: Fault = send(200, "x/y", tinyPng);
const redirect = (location: string): Fault => send(302, "text/plain", "", `location: ${location}\r\n`);

/** Sends half of the image and closes the connection. */
function half(headers: string): Fault {
  return ({ socket }) => {
    socket.write(`HTTP/1.1 200 OK\r\n${headers}\r\n`);
    socket.end(tinyPng.subarray(0, 20));
  };
}

/** An image host and a client. Disposing asserts that only GETs without a key were made. */
async function startHost(fault: Fault = sendImage, options: BenchOptions = {}) {
  const host = await FaultServer.start(fault);
  const bench = await startBench(silence, options);
  return {
    host,
    bench,
    /** Downloads the image under a name of the host. */
    get: (signal?: AbortSignal, name = "localhost", path = "a.png") =>
      download(bench, `http://${name}:${host.port}/${path}`, signal),
    async [Symbol.asyncDispose]() {
      await until(() => host.busy === 0, "no connection is in use");
      for (const request of host.requests) assertUsual(request);
      assert.ok(host.requests.every(({ method }) => method === "GET"));
      assertNoKey(host.seen);
      await bench[Symbol.asyncDispose]();
      await host.stop();
    },
  };
}

/** Asserts that downloads under these names are forbidden before a connection is made. */
async function forbids({ host, get }: Awaited<ReturnType<typeof startHost>>, names: readonly string[]): Promise<void> {
  for (const name of names) assert.equal(await get(undefined, name), "linkForbidden", name);
  assert.equal(host.connections, 0);
}

/** Settings with another gateway and a proxy. */
const at = (baseUrl: string, proxyUrl = "") => ({
  settings: {
    baseUrl,
    backupBaseUrl: "",
    allowInsecureHttp: true,
    proxy: { ...plainSettings.proxy, url: proxyUrl },
  },
});

describe("faults: image file", () => {
  leavesNothing();

  /** Faults of the host, with the outcome and the number of requests. */
  const rows: readonly (readonly [title: string, fault: Fault, outcome: string, requests: number])[] = [
    ["as it should be", sendImage, "same png", 1],
    ...[401, 403, 404, 410].map((status) => [String(status), failure(status, "x"), "linkExpired", 1] as const),
    ["400", failure(400, "x"), "downloadFailed", 1],
    ...[429, 500, 502, 503, 529].map((status) => [String(status), failure(status, "x"), "downloadFailed", 3] as const),
    ["429 for an hour", failure(429, "x", "retry-after: 3600\r\n"), "downloadFailed", 1],
    ["a page", send(200, "text/html", "<html>"), "notAnImage", 3],
    ["nothing", send(200, "image/png", ""), "notAnImage", 3],
    ["closed before headers", close, "downloadFailed", 3],
    ["reset", reset, "downloadFailed", 3],
    ["silence", silence, "downloadFailed", 3],
    ["closed half way, by length", half(`content-length: ${tinyPng.length}\r\n`), "downloadFailed", 3],
    ["closed half way, without length", half(""), "downloadFailed", 3],
    ["too large by its length", raw("HTTP/1.1 200 X\r\ncontent-length: 67108865\r\n\r\n"), "tooLarge", 1],
    [
      "too large by count",
      drip("HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n", chunk("x".repeat(8 << 20)), 1),
      "tooLarge",
      1,
    ],
    ["to file:", redirect("file:///etc/passwd"), "linkForbidden", 1],
    ["to data:", redirect("data:image/png;base64,AA"), "linkForbidden", 1],
    ["a redirect to itself", redirect("/again"), "downloadFailed", 6],
    ["a redirect without target", send(302, "text/plain", ""), "downloadFailed", 1],
  ];
  for (const [title, fault, outcome, requests] of rows) {
    it(`${title}: ${outcome}`, async () => {
      await using setup = await startHost(fault, { limits: shortLimits });
      assert.equal(await setup.get(), outcome);
      await until(() => setup.host.busy === 0, "no connection is in use");
      assert.equal(setup.host.requests.length, requests);
    });
  }

  it("tries again until it is whole", async () => {
    await using setup = await startHost();
    setup.host.next(failure(429, "x", "retry-after: 7\r\n"), half(""));
    assert.equal(await setup.get(), "same png");
    assert.deepEqual([setup.host.requests.length, setup.bench.clock.waits], [3, [7_000, 1_000]]);
  });

  it("follows five redirects to other hosts, not six, and carries no key along", async () => {
    await using second = await FaultServer.start(sendImage);
    await using setup = await startHost();
    const { host, get } = setup;
    const away = redirect(`http://127.0.0.1:${second.port}/b.png`);
    host.next(redirect("/1"), redirect("2"), redirect("?3"), redirect(`//localhost:${host.port}`), away);
    assert.equal(await get(), "same png");
    host.next(...Array.from({ length: 6 }, () => redirect("/again")));
    assert.equal(await get(), "downloadFailed");
    assert.deepEqual([host.requests.length, second.requests.length], [11, 1]);
    assertNoKey(second.seen);
  });

  it("closes the connection on cancel", async () => {
    await using setup = await startHost(silence);
    const cancel = new AbortController();
    const running = setup.get(cancel.signal);
    await until(() => setup.host.requests.length === 1, "the host is asked");
    cancel.abort();
    assert.equal(await running, "cancelled");
    assert.equal(setup.bench.reports.at(-1)?.failure, "cancelled");
    await until(() => setup.host.busy === 0, "the connection is closed");
  });

  it("is downloaded beside one other at most; those in the queue can be canceled", async () => {
    await using setup = await startHost(silence);
    const { host, get } = setup;
    const stops = Array.from({ length: 20 }, () => new AbortController());
    const running = stops.map(({ signal }) => get(signal));
    await until(() => host.requests.length === 2, "two are asked for");
    for (const stop of stops.slice(2, 10)) stop.abort();
    assert.deepEqual(await Promise.all(running.slice(2, 10)), Array<string>(8).fill("cancelled"));
    assert.equal(host.requests.length, 2);
    host.always(sendImage);
    for (const stop of stops.slice(0, 2)) stop.abort();
    assert.deepEqual(await Promise.all(running.slice(10)), Array<string>(10).fill("same png"));
    assert.equal(host.requests.length, 12);
  });

  it("does not hold up others once it takes long", async () => {
    await using setup = await startHost(silence, { limits: { downloadSlot: 10 } });
    const stop = new AbortController();
    const running = [1, 2, 3].map(() => setup.get(stop.signal));
    await until(() => setup.host.requests.length === 3, "three are asked for");
    stop.abort();
    assert.deepEqual(await Promise.all(running), Array<string>(3).fill("cancelled"));
  });

  it("may take only so long in all, however steadily it moves", async () => {
    const head = "HTTP/1.1 200 OK\r\ncontent-type: image/png\r\n\r\n\x89PNG\r\n\x1a\n";
    await using setup = await startHost(drip(head, "x", 20), { limits: { download: 300 } });
    const start = performance.now();
    assert.equal(await setup.get(), "downloadFailed");
    assert.ok(performance.now() - start < 5_000);
    assert.deepEqual([setup.bench.reports.at(-1)?.failure, setup.host.requests.length], ["timeout", 1]);
  });

  it("is not requested from a link over 8 KB, nor is a redirect to one followed", async () => {
    await using setup = await startHost(redirect(`/${"z".repeat(8_200)}`));
    for (const length of [8_200, 8_100])
      assert.equal(await setup.get(undefined, "localhost", "x".repeat(length)), "linkForbidden");
    assert.equal(setup.host.requests.length, 1);
  });

  describe("for a gateway inside", () => {
    const here = ["localhost", "127.0.0.1", "localhost.", "[::ffff:127.0.0.1]"];

    it("on this machine: no other network is asked, link-local and metadata addresses never", async () => {
      await using setup = await startHost();
      for (const name of here) assert.equal(await setup.get(undefined, name), "same png", name);
      for (const name of ["10.1.2.3", "192.168.1.1", "169.254.169.254", "168.63.129.16", "[fe80::1]"]) {
        assert.equal(await setup.get(undefined, name), "linkForbidden", name);
      }
    });

    it("in a private network: this machine is not asked", async () => {
      await using setup = await startHost(sendImage, at("http://10.0.0.1"));
      await forbids(setup, [...here, "169.254.169.254", "168.63.129.16", "192.0.2.1"]);
    });
  });

  describe("for a gateway whose own DNS lies", () => {
    let answers: readonly string[] = [];
    withResolver(() => answers);

    for (const lie of [["8.8.8.8", "127.0.0.1"], ["::1"], ["10.0.0.1", "8.8.8.8"], ["169.254.169.254"]]) {
      it(`forbids this machine and its network: ${lie.join(" and ")}`, async () => {
        await using setup = await startHost(sendImage, at("http://gateway.test"));
        answers = lie;
        await forbids(setup, ["127.0.0.1", "localhost", "[::1]", "169.254.169.254", "10.0.0.1", "images.test"]);
      });
    }
  });

  describe("for a gateway in the open", () => {
    const names: Readonly<Record<string, readonly string[]>> = {
      "wiki.test": ["10.0.0.1"],
      "both.test": ["8.8.8.8", "127.0.0.1"],
      "images.test": ["8.8.8.8"],
      "other.test": ["8.8.4.4"],
    };
    withResolver((name) => names[name] ?? "ENOTFOUND");

    const inner = ["localhost", "127.9.9.9", "0x7f000001", "0.0.0.0", "[::1]", "[::ffff:127.0.0.1]"];
    const elsewhere = ["images.localhost", "10.1.2.3", "169.254.169.254", "168.63.129.16", "100.64.0.1", "[fc00::1]"];

    it("asks no inner address", async () => {
      await using setup = await startHost(sendImage, at("http://gateway.test"));
      await forbids(setup, [...inner, ...elsewhere]);
    });

    it("follows no redirect to an inner address", async () => {
      await using host = await FaultServer.start(sendImage);
      await using outside = await FaultServer.start(sendImage);
      await using proxy = await startProxy({ "images.test": outside, "other.test": outside });
      await using bench = await startBench(silence, at("http://gateway.test", proxy.url));
      for (const name of inner) {
        outside.next(redirect("http://other.test/b.png"), redirect(`http://${name}:${host.port}/c.png`));
        assert.equal(await download(bench, "http://images.test/a.png"), "linkForbidden", name);
      }
      assert.equal(await download(bench, "http://images.test/a.png"), "same png");
      assert.deepEqual([host.connections, outside.requests.length], [0, 2 * inner.length + 1]);
    });

    it("asks no proxy for a name that is inside, or that this machine cannot resolve", async () => {
      await using host = await FaultServer.start(sendImage);
      const hosts = ["wiki.test", "both.test", "images.test", "unknown.test"];
      await using proxy = await startProxy(Object.fromEntries(hosts.map((name) => [name, host])));
      await using bench = await startBench(silence, at("http://gateway.test", proxy.url));
      assert.equal(await download(bench, "http://wiki.test/a.png"), "linkForbidden");
      assert.equal(await download(bench, "https://both.test/a.png"), "linkForbidden");
      assert.equal(await download(bench, "http://unknown.test/a.png"), "downloadFailed");
      assert.equal(await download(bench, "https://unknown.test/a.png"), "downloadFailed");
      assert.deepEqual([proxy.asked, host.connections], [[], 0]);
      assert.equal(await download(bench, "http://images.test/a.png"), "same png");
      assert.deepEqual(proxy.asked, ["GET images.test"]);
    });

    it("asks no proxy of the system either, where VS Code makes the connection", async () => {
      await using host = await FaultServer.start(sendImage);
      await using proxy = await startProxy({ "wiki.test": host, "unknown.test": host });
      await using bench = await startBench(silence, at("http://gateway.test"));
      // As VS Code patches Node's agent: every connection goes to the proxy, which resolves the names.
      const agent: { createConnection: unknown } = http.globalAgent;
      const { createConnection } = agent;
      let asked = 0;
      const throughProxy = (): Socket => {
        asked += 1;
        return connect(proxy.port, "127.0.0.1");
      };
      agent.createConnection = throughProxy;
      try {
        for (const name of ["unknown.test", "wiki.test"]) {
          assert.match(await download(bench, `http://${name}/a.png`), /linkForbidden|downloadFailed/, name);
        }
        assert.deepEqual([asked, host.connections], [0, 0]);
      } finally {
        agent.createConnection = createConnection;
      }
    });
  });
});
