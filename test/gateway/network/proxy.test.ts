import assert from "node:assert/strict";
import { proxyFor } from "../../../src/gateway/network/proxy.ts";
import { each } from "../../support/each.ts";

describe("the proxy for a URL", () => {
  const usual = { url: "", noProxy: [], strictSsl: true, authorization: "" };
  const setting = { url: "http://setting:1" };
  const elsewhere = { ...setting, noProxy: ["b.example"] };
  const both = { http_proxy: "http://plain:2", https_proxy: "http://secure:3" };
  const [http, https] = ["http://a.example", "https://a.example"];
  const [lower, upper] = [{ https_proxy: "http://lower" }, { HTTPS_PROXY: "http://upper" }];
  each<[url: string, settings: object, environment: Record<string, string>], string | undefined>([
    ["none where nothing is set", https, {}, {}, undefined],
    ["the setting before the environment", https, setting, both, "http://setting:1/ from http.proxy"],
    ["HTTPS_PROXY for https", https, {}, both, "http://secure:3/ from HTTPS_PROXY"],
    ["HTTP_PROXY for http", http, {}, both, "http://plain:2/ from HTTP_PROXY"],
    ["HTTP_PROXY for https too", https, {}, { HTTP_PROXY: "http://p:2" }, "http://p:2/ from HTTP_PROXY"],
    ["not HTTPS_PROXY for http", http, {}, upper, undefined],
    ["lower case first", https, {}, { ...lower, ...upper }, "http://lower/ from HTTPS_PROXY"],
    ["upper case for an empty variable", https, {}, { ...upper, https_proxy: "" }, "http://upper/ from HTTPS_PROXY"],
    ["without a scheme", https, { url: "proxy:8080" }, {}, "http://proxy:8080/ from http.proxy"],
    ["with credentials", https, { url: "http://u:p@proxy" }, {}, "http://u:p@proxy/ from http.proxy"],
    ["none for an invalid URL", https, { url: "http://" }, {}, undefined],
    ["none for loopback", "http://127.0.0.1:1", setting, both, undefined],
    ["none for localhost", "http://localhost:1", setting, both, undefined],
    ["none for IPv6 loopback", "http://[::1]:1", setting, both, undefined],
    ["none for an exception", https, { ...setting, noProxy: ["a.example"] }, {}, undefined],
    ["NO_PROXY beside an empty no_proxy", https, setting, { no_proxy: "", NO_PROXY: "a.example" }, undefined],
    ["NO_PROXY for the setting too", https, setting, { NO_PROXY: "b.example,a.example" }, undefined],
    [
      "http.noProxy instead of NO_PROXY",
      https,
      elsewhere,
      { NO_PROXY: "a.example" },
      "http://setting:1/ from http.proxy",
    ],
  ]).gives((url, settings, environment) => {
    const proxy = proxyFor(new URL(url), { ...usual, ...settings }, environment);
    return proxy && `${proxy.url.href} from ${proxy.source}`;
  });

  const exceptions: readonly (readonly [url: string, direct: string, not: string])[] = [
    [
      "https://a.example",
      "* *:443 a.example A.Example a.example. example .example .a.example *.example a.example:443 *.example:443",
      "ple *.a.example a.example:8443 *:80 b.example a.example/8 b.a.example . 0.0.0.0/0",
    ],
    ["http://a.example:8080", "a.example a.example:8080 *:8080", "a.example:80 *:80"],
    ["https://a.example.", "a.example .example", "b.example"],
    [
      "https://10.1.2.3:8443",
      "10.1.2.3 10.0.0.0/8 10.1.2.0/24 10.1.2.3/32 0.0.0.0/0 10.0.0.0/8:8443 10.1.2.3:8443 ::ffff:10.0.0.0/104",
      "10.1.2.4 10.2.0.0/16 10.0.0.0/8:443 10.1.2.3:443 10.0.0.0/33 10.0.0.0/ 10.0.0.0/-1 10.0.0.0/x 1.2.3.4 fd00::/8",
    ],
    [
      "https://[fd00:1::2]",
      "fd00:1::2 FD00:1:0::2 [fd00:1::2] [fd00:1::2]:443 fd00::/8 [fd00::]/8 fd00:1::/32 ::/0",
      "fd00:1::3 [fd00:1::2]:8443 fe80::/10 fd00::/129 2 :2 10.0.0.0/8 fd00:1::2:443",
    ],
  ];
  for (const [url, direct, not] of exceptions) {
    for (const exception of [...direct.split(" "), ...not.split(" "), "", " "]) {
      const isDirect = direct.split(" ").includes(exception);
      it(`${isDirect ? "is none" : "stays"} for ${url} with the exception ${JSON.stringify(exception)}`, () => {
        const where = new URL(url);
        const proxy = { ...usual, url: "http://proxy" };
        assert.equal(proxyFor(where, { ...proxy, noProxy: [`  ${exception} `] }, {}) === undefined, isDirect);
        assert.equal(proxyFor(where, proxy, { NO_PROXY: `c.example, ${exception},` }) === undefined, isDirect);
      });
    }
  }

  it("takes no exception that is longer than any host name, however long", () => {
    const noProxy = ["x".repeat(3_000_000), `${"x".repeat(3_000_000)}:80`];
    const proxy = { ...usual, url: "http://proxy.test:3128", noProxy };
    assert.equal(proxyFor(new URL("http://gateway.test/"), proxy, {})?.url.port, "3128");
  });
});
