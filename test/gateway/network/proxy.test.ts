import assert from "node:assert/strict";
import { proxyFor } from "../../../src/gateway/network/proxy.ts";

describe("the proxy for a URL", () => {
  const setting = { url: "http://setting:1" };
  const both = { http_proxy: "http://plain:2", https_proxy: "http://secure:3" };
  const cases: readonly (readonly [string, string, object, Record<string, string>, string | undefined])[] = [
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
  ];
  for (const [title, url, settings, environment, expected] of cases) {
    it(`is ${title}`, () => {
      const usual = { url: "", noProxy: [], strictSsl: true, authorization: "" };
      const proxy = proxyFor(new URL(url), { ...usual, ...settings }, environment);
      assert.equal(proxy && `${proxy.url.href} from ${proxy.source}`, expected);
    });
  }

  const exceptions = [
    ["*", true],
    ["a.example", true],
    ["A.Example", true],
    [".a.example", false],
    ["example", true],
    [".example", true],
    ["*.example", true],
    ["ple", false],
    ["a.example:443", true],
    ["a.example:8443", false],
    ["b.example", false],
    ["", false],
    [" a.example ", true],
  ] as const;
  for (const [exception, isDirect] of exceptions) {
    it(`${isDirect ? "is left out" : "stays"} with the exception ${JSON.stringify(exception)}`, () => {
      const settings = { url: "http://proxy", noProxy: [exception], strictSsl: true, authorization: "" };
      assert.equal(proxyFor(new URL("https://a.example"), settings, {}) === undefined, isDirect);
    });
  }

  it("takes no exception that is longer than any host name, however long", () => {
    const proxy = {
      url: "http://proxy.test:3128",
      strictSsl: true,
      authorization: "",
      noProxy: ["x".repeat(3_000_000), `${"x".repeat(3_000_000)}:80`],
    };
    assert.equal(proxyFor(new URL("http://gateway.test/"), proxy, {})?.url.port, "3128");
  });
});
