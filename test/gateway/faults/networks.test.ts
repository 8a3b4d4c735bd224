import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { GatewaySettings, ProxySettings } from "../../../src/gateway/types.ts";
import { assertNoKey, clientFor, leavesNothing, resultOf, startBench } from "../support/bench.ts";
import { allAsked, right, rightText } from "../support/faults.ts";
import { certificateFile, FaultServer } from "../support/faultServer.ts";
import { withResolver } from "../support/lookup.ts";
import { mute, type ProxyOptions, startProxy } from "../support/proxy.ts";
import { plainSettings } from "../../support/plainSettings.ts";

const noProxy: ProxySettings = plainSettings.proxy;
const settings = {
  baseUrl: "https://gateway.test",
  backupBaseUrl: "",
  certificateFile: certificateFile("ca"),
} satisfies Partial<GatewaySettings>;

/** An entry with a certificate for gateway.test, which only a proxy can reach. */
async function startBehindProxy(options?: ProxyOptions) {
  const bench = await startBench(right, { primary: { certificate: "localhost" }, settings });
  const proxy = await startProxy({ "gateway.test": bench.primary }, options);
  const use = (url: string, more: Partial<ProxySettings> = {}): void => {
    bench.settings = { ...bench.settings, proxy: { ...noProxy, url, ...more } };
  };
  use(proxy.url);
  return {
    ...{ bench, proxy, use },
    async [Symbol.asyncDispose]() {
      await bench[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
      assertNoKey(proxy.seen.replaceAll(/proxy-authorization/gi, ""));
    },
  };
}

const basic = (text: string): string => `Basic ${Buffer.from(text).toString("base64")}`;

describe("networks: proxies", () => {
  leavesNothing();
  // Only the proxy resolves gateway.test.
  withResolver((name) => (name === "gateway.test" ? "ENOTFOUND" : ["127.0.0.1"]));
  const variables = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"] as const;
  const before = variables.map((name) => [name, process.env[name]] as const);
  beforeEach(() => {
    for (const name of variables) Reflect.deleteProperty(process.env, name);
  });
  afterEach(() => {
    for (const [name, value] of before) if (value !== undefined) process.env[name] = value;
  });

  it("reaches an entry through http.proxy, on one tunnel for many operations", async () => {
    await using setup = await startBehindProxy();
    const { bench, proxy } = setup;
    for (const asked of allAsked) assert.equal(await bench.outcome(asked), "answer");
    assert.equal(proxy.asked[0], "CONNECT gateway.test:443");
    assert.ok(proxy.asked.length < allAsked.length);
  });

  it("checks the gateway's certificate even without http.proxyStrictSSL", async () => {
    const primary = { certificate: "selfSigned" } as const;
    await using bench = await startBench(right, { primary, settings, hasBackup: false });
    await using proxy = await startProxy({ "gateway.test": bench.primary });
    bench.settings = { ...bench.settings, proxy: { ...noProxy, url: proxy.url, strictSsl: false } };
    assert.equal(await bench.outcome(), "untrusted");
    assert.equal(bench.primary.posts, 0);
  });

  it("takes the proxy from the environment", async () => {
    await using setup = await startBehindProxy();
    const { bench, proxy, use } = setup;
    use("");
    process.env.HTTPS_PROXY = proxy.url;
    assert.equal(await bench.outcome(), "answer");
    process.env.NO_PROXY = "gateway.test";
    assert.equal(await bench.outcome(), "unreachable");
    assert.equal(proxy.asked.length, 1);
  });

  it("sends the credentials from the URL or from http.proxyAuthorization", async () => {
    const authorization = basic("me:pässword");
    await using setup = await startBehindProxy({ authorization });
    const { bench, proxy, use } = setup;
    use(proxy.url.replace("//", "//me:p%C3%A4ssword@"));
    assert.equal(await bench.outcome(), "answer");
    use(proxy.url, { authorization });
    assert.equal(await bench.outcome(), "answer");
    assert.equal(proxy.asked.length, 2);
  });

  const answers: readonly (readonly [string, ProxyOptions["answer"] & object])[] = [
    ["a refusal", { text: "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n", ends: true }],
    ["garbage", { text: "GARBAGE\r\n\r\n" }],
    ["two lengths", { text: "HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello" }],
    ["a switch of protocols", { text: "HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n" }],
    ["the end in the headers", { text: "HTTP/1.1 200 OK\r\nx", ends: true }],
  ];
  for (const [title, answer] of answers) {
    it(`blames the proxy for ${title}: nothing was sent, and the next entry is asked`, async () => {
      await using setup = await startBehindProxy({ answer });
      const { bench, proxy } = setup;
      for (const asked of ["chatStream", "image"] as const) {
        const { outcome, error } = await bench.result(asked);
        assert.deepEqual([outcome, error?.sent, error?.proxy], ["proxyRefused", "no", new URL(proxy.url).host], asked);
        bench.settings = { ...bench.settings, backupBaseUrl: bench.backup.url };
        assert.equal(await bench.outcome(asked), "answer", asked);
        bench.settings = { ...bench.settings, backupBaseUrl: "" };
      }
      assert.deepEqual([bench.primary.connections, bench.backup.posts], [0, 2]);
    });
  }

  it("names the proxy that cannot be reached or does not answer", async () => {
    await using setup = await startBehindProxy(mute);
    const { bench, proxy, use } = setup;
    const gateway = clientFor(() => bench.settings, { limits: { connect: 200 }, clock: bench.clock });
    const outcomes = async (): Promise<readonly unknown[]> => {
      const { outcome, error } = await resultOf(gateway, "image");
      return [outcome, error?.sent, error?.proxy];
    };
    assert.deepEqual(await outcomes(), ["unreachable", "no", new URL(proxy.url).host]);
    use("http://127.0.0.1:1");
    assert.deepEqual(await outcomes(), ["unreachable", "no", "127.0.0.1:1"]);
    await gateway.dispose();
  });

  it("forwards plain http where that is allowed", async () => {
    await using bench = await startBench(right, {
      settings: { baseUrl: "http://gateway.test", backupBaseUrl: "", allowInsecureHttp: true },
    });
    await using proxy = await startProxy({ "gateway.test": bench.primary }, { authorization: "Basic x" });
    bench.settings = { ...bench.settings, proxy: { ...noProxy, url: proxy.url } };
    for (const asked of ["image", "chatJson"] as const) {
      const { outcome, error } = await bench.result(asked);
      assert.deepEqual([outcome, error?.sent], ["proxyRefused", "no"]);
    }
    bench.settings = { ...bench.settings, proxy: { ...noProxy, url: proxy.url, authorization: "Basic x" } };
    assert.equal(await bench.outcome(), "answer");
    assert.equal(bench.primary.posts, 1);
  });

  it("applies new settings from the next operation on", async () => {
    await using setup = await startBehindProxy();
    const { bench, proxy, use } = setup;
    for (const url of ["http://127.0.0.1:1", "socks5://127.0.0.1:1", "", "quic://proxy.test", "http://", "::"]) {
      use(url);
      assert.match(await bench.outcome(), /^(unreachable|offline|proxyRefused)$/, url);
    }
    use(proxy.url);
    assert.equal(await bench.outcome(), "answer");
  });
});

describe("networks: the system's certificates", () => {
  it("are asked for after a trust failure, once, and then the answer comes", async () => {
    await using entry = await FaultServer.start(right, { certificate: "localhost" });
    const script = `
      const { ask, clientFor } = await import(${JSON.stringify(import.meta.resolve("../support/bench.ts"))});
      const { plainSettings } = await import(${JSON.stringify(import.meta.resolve("../../support/plainSettings.ts"))});
      const gateway = clientFor(() => ({ ...plainSettings, baseUrl: ${JSON.stringify(entry.url)} }), {});
      console.log(await ask(gateway, "chatJson"), await ask(gateway, "image"));
      await gateway.dispose();`;
    const env = { ...process.env, SSL_CERT_FILE: certificateFile("ca"), SSL_CERT_DIR: "" };
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], { env });
    assert.equal(stdout.trim(), `${rightText} ${rightText}`);
    assert.deepEqual([entry.posts, entry.connections], [2, 3]);
  });
});
