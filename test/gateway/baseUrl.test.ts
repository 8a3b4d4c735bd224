import assert from "node:assert/strict";
import { isLoopback, normalizeBaseUrl } from "../../src/gateway/baseUrl.ts";
import { GatewayError } from "../../src/gateway/errors.ts";

describe("a base URL", () => {
  const accepted = [
    ["https://gateway.example", "https://gateway.example"],
    ["  https://gateway.example/  ", "https://gateway.example"],
    ["https://gateway.example/v1", "https://gateway.example"],
    ["https://gateway.example/v1/", "https://gateway.example"],
    ["https://gateway.example/v1/v1//", "https://gateway.example"],
    ["https://gateway.example//v1", "https://gateway.example"],
    ["https://gateway.example/V1", "https://gateway.example"],
    ["https://gateway.example/api/v1", "https://gateway.example/api"],
    ["https://gateway.example/api//", "https://gateway.example/api"],
    ["https://gateway.example/v10", "https://gateway.example/v10"],
    ["https://gateway.example/dev1", "https://gateway.example/dev1"],
    ["HTTPS://Gateway.Example:443", "https://gateway.example"],
    ["https://gateway.example:8443/v1", "https://gateway.example:8443"],
    ["https://[2001:db8::1]:8443", "https://[2001:db8::1]:8443"],
    ["https://中文.example", "https://xn--fiq228c.example"],
    ["http://localhost:3000/v1", "http://localhost:3000"],
    ["http://127.0.0.1:3000", "http://127.0.0.1:3000"],
    ["http://127.1.2.3", "http://127.1.2.3"],
    ["http://[::1]:3000", "http://[::1]:3000"],
  ] as const;
  for (const [text, url] of accepted) {
    it(`${JSON.stringify(text)} is ${url}`, () => {
      assert.equal(normalizeBaseUrl(text, false), url);
      assert.equal(normalizeBaseUrl(url, false), url, "normal form");
    });
  }

  const refused = [
    ["", /not a URL/],
    ["gateway.example", /not a URL/],
    ["gateway.example/v1", /not a URL/],
    ["localhost:3000", /https:\/\//],
    ["ftp://gateway.example", /https:\/\//],
    ["file:///etc/passwd", /https:\/\//],
    ["https://user:secret@gateway.example", /password/],
    ["https://user@gateway.example", /password/],
    ["https://gateway.example?key=1", /query/],
    ["https://gateway.example#v1", /fragment/],
    ["http://gateway.example", /unencrypted/],
    ["http://10.0.0.1", /unencrypted/],
    ["http://localhost.example", /unencrypted/],
    ["http://127.0.0.1.example", /unencrypted/],
  ] as const;
  for (const [text, reason] of refused) {
    it(`${JSON.stringify(text)} is refused: ${reason.source}`, () => {
      assert.throws(
        () => normalizeBaseUrl(text, false),
        (error) => error instanceof GatewayError && error.kind === "badUrl" && reason.test(error.message),
      );
    });
  }

  it("may be plain http anywhere once the user has said so", () => {
    assert.equal(normalizeBaseUrl("http://10.0.0.1:8080/v1", true), "http://10.0.0.1:8080");
  });

  it("is this machine's by its literal form only", () => {
    const loopback = [
      "localhost",
      "localhost.",
      "gateway.localhost",
      "a.b.localhost.",
      "127.0.0.1",
      "127.9.9.9",
      "[::1]",
    ];
    const others = ["localhost.example", "notlocalhost", "localhost..", "128.0.0.1", "127.example", "[::2]", ""];
    assert.deepEqual([...loopback, ...others].filter(isLoopback), loopback);
  });
});
