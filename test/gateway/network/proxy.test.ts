import assert from "node:assert/strict";
import { proxyFor } from "../../../src/gateway/network/proxy.ts";
import { each } from "../../support/each.ts";

describe("the proxy for a URL", () => {
  const usual = { url: "", noProxy: [], strictSsl: true, authorization: "" };
  const setting = { url: "http://setting:1" };
  const both = { http_proxy: "http://plain:2", https_proxy: "http://secure:3" };
  each<[url: string, settings: object, environment: Record<string, string>], string | undefined>([
    ["none where nothing is set", "https://a.example", {}, {}, undefined],
    ["the setting", "https://a.example", setting, {}, "http://setting:1/ from http.proxy"],
    ["the setting before the environment", "https://a.example", setting, both, "http://setting:1/ from http.proxy"],
    ["HTTPS_PROXY for https", "https://a.example", {}, both, "http://secure:3/ from HTTPS_PROXY"],
    ["HTTP_PROXY for http", "http://a.example", {}, both, "http://plain:2/ from HTTP_PROXY"],
    ["HTTP_PROXY for https too", "https://a.example", {}, { HTTP_PROXY: "http://p:2" }, "http://p:2/ from HTTP_PROXY"],
    ["not HTTPS_PROXY for http", "http://a.example", {}, { HTTPS_PROXY: "http://p:2" }, undefined],
    [
      "lower case first",
      "http://a.example",
      {},
      { http_proxy: "http://l", HTTP_PROXY: "http://u" },
      "http://l/ from HTTP_PROXY",
    ],
    ["without a scheme", "https://a.example", { url: "proxy:8080" }, {}, "http://proxy:8080/ from http.proxy"],
    ["with credentials", "https://a.example", { url: "http://u:p@proxy" }, {}, "http://u:p@proxy/ from http.proxy"],
    ["none for what is no URL", "https://a.example", { url: "http://" }, {}, undefined],
    ["none for loopback", "http://127.0.0.1:1", setting, both, undefined],
    ["none for localhost", "http://localhost:1", setting, both, undefined],
    ["none for IPv6 loopback", "http://[::1]:1", setting, both, undefined],
    ["none for an exception", "https://a.example", { ...setting, noProxy: ["a.example"] }, {}, undefined],
    ["NO_PROXY for the setting too", "https://a.example", setting, { NO_PROXY: "b.example,a.example" }, undefined],
    [
      "http.noProxy instead of NO_PROXY",
      "https://a.example",
      { ...setting, noProxy: ["b.example"] },
      { NO_PROXY: "a.example" },
      "http://setting:1/ from http.proxy",
    ],
  ]).gives((url, settings, environment) => {
    const proxy = proxyFor(new URL(url), { ...usual, ...settings }, environment);
    return proxy && `${proxy.url.href} from ${proxy.source}`;
  });

  const left = ["*", "a.example", "A.Example", "example", ".example", "*.example", "a.example:443", " a.example "];
  for (const exception of [...left, ".a.example", "ple", "a.example:8443", "b.example", ""]) {
    const isDirect = left.includes(exception);
    it(`${isDirect ? "is left out" : "stays"} with the exception ${JSON.stringify(exception)}`, () => {
      const settings = { ...usual, url: "http://proxy", noProxy: [exception] };
      assert.equal(proxyFor(new URL("https://a.example"), settings, {}) === undefined, isDirect);
    });
  }

  it("takes no exception that is longer than any host name, however long", () => {
    const noProxy = ["x".repeat(3_000_000), `${"x".repeat(3_000_000)}:80`];
    const proxy = { ...usual, url: "http://proxy.test:3128", noProxy };
    assert.equal(proxyFor(new URL("http://gateway.test/"), proxy, {})?.url.port, "3128");
  });
});
