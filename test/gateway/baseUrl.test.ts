import fc from "fast-check";
import assert from "node:assert/strict";
import { inspect } from "node:util";
import { isLoopback, normalizeBaseUrl } from "../../src/gateway/baseUrl.ts";
import { type BaseUrlFlaw, GatewayError } from "../../src/gateway/errors.ts";
import { anyText } from "../support/anyText.ts";
import { processorTime } from "../support/assertLinear.ts";

describe("a base URL", () => {
  const accepted = [
    ["  https://gateway.example/  ", "https://gateway.example"],
    ["https://gateway.example/v1/", "https://gateway.example"],
    ["https://gateway.example/v1/v1//", "https://gateway.example"],
    ["https://gateway.example/V1", "https://gateway.example"],
    ["https://gateway.example/api/v1", "https://gateway.example/api"],
    ["https://gateway.example/v1/chat/completions", "https://gateway.example"],
    ["https://gateway.example/v1/account/v1/Models/", "https://gateway.example/v1/account"],
    ["https://gateway.example/v1/models/v1", "https://gateway.example"],
    ["https://gateway.example/v1/modelsx", "https://gateway.example/v1/modelsx"],
    ["https://gateway.example/dev1", "https://gateway.example/dev1"],
    ["HTTPS://Gateway.Example:443", "https://gateway.example"],
    ["https://gateway.example:8443/v1", "https://gateway.example:8443"],
    ["https://[2001:db8::1]:8443", "https://[2001:db8::1]:8443"],
    ["https://中文.example", "https://xn--fiq228c.example"],
    ["http://[::1]:3000", "http://[::1]:3000"],
  ] as const;
  for (const [text, url] of accepted) {
    it(`${JSON.stringify(text)} is ${url}`, () => {
      assert.equal(normalizeBaseUrl(text, false), url);
      assert.equal(normalizeBaseUrl(url, false), url, "normal form");
    });
  }

  /** Refused URLs by flaw, separated by spaces. `bad` has those with spaces or invisible characters. */
  const refused: Readonly<Record<BaseUrlFlaw, string>> = {
    notUrl: "gateway.example https:// https:///v1 https:/gateway.example https://gateway.example:99999",
    scheme: "localhost:3000 ftp://gateway.example file:///etc/passwd javascript:alert(1)",
    credentials: "https://user:secret@gateway.example https://user@gateway.example http://localhost@gateway.example",
    query: "https://gateway.example?model=1 https://gateway.example#v1",
    insecure: `http://gateway.example http://10.0.0.1 http://localhost.example http://127.0.0.1.example`,
    characters: String.raw`https://gateway.example\v1 https://gateway.example\@evil.example`,
    key: `sk-abc123 https://user:sk-abc123@gateway.example https://sk-abc123.gateway.example
      https://gateway.example/sk-abc123/v1 https://gateway.example/my_sk-abc123 https://gateway.example/SK-abc123
      https://gateway.example?key=sk-abc123 https://gateway.example#sk-abc123 https://gateway.example/%73%6b%2dabc123
      https://gateway.example/%2573k%252dabc123 https://sk-proj-Ab12cd34Ef-x.example
      https://gateway.example/sk-${"abcdefghij".repeat(2)} https://\uff53\uff4b-abc123.gateway.example`,
    tooLong: `https://gateway.example/${"a".repeat(2_048)} https://gateway.example/${"中".repeat(500)}`,
  };
  const bad = ["https://gate\nway", "https://gate\tway/v1", "https://a/a b", "https://gate\u200bway"].concat(
    ["\u202emoc.live", "\u0000", "\ud800"].map((path) => `https://gateway.example/${path}`),
  );
  const all = Object.entries(refused).flatMap(([flaw, texts]) =>
    texts.split(/\s+/).map((text) => [text, flaw] as const),
  );
  for (const [text, flaw] of [...all, ["", "notUrl"] as const, ...bad.map((text) => [text, "characters"] as const)]) {
    it(`${JSON.stringify(text).slice(0, 80)} is refused: ${flaw}`, () => {
      assert.equal(flawOf(text), flaw);
    });
  }

  it("may contain the prefix of a key inside a word, or at the beginning of a word of its host or path", () => {
    const inside = ["https://helpdesk-ai.example", "https://gateway.example/task-runner/disk-1"];
    const beginnings = ["https://sk-gateway.example", "https://gateway.example/sk-east-1/openai"];
    for (const url of [...inside, ...beginnings]) assert.equal(normalizeBaseUrl(url, false), url);
  });

  it("never repeats a URL in its error", () => {
    for (const text of refused.key.split(/\s+/)) {
      assert.throws(
        () => normalizeBaseUrl(text, false),
        (error) => !JSON.stringify(inspect(error)).includes("abc123"),
      );
    }
  });

  it("is checked in linear time", () => {
    const parts = ["/", "/v1", "v1/", "%25", "%2525", "a", "sk", "\u202e", "\\", " ", "?", "@", "."];
    const long = parts.flatMap((part) => [2_000, 1_000_000].map((length) => part.repeat(length / part.length)));
    const time = processorTime(() => {
      for (const tail of long) for (const end of ["", "x"]) flawOf(`https://gateway.example/${tail}${end}`);
    });
    assert.ok(time < 1_000, `${time} ms`);
  });

  it("is refused or has one normal form", () => {
    const piece = fc.oneof(
      fc.constantFrom(..."https:// http:// // /v1 / /v1/models a.example @ : sk- 123456 %73 % ? #".split(" ")),
      anyText,
    );
    fc.assert(
      fc.property(fc.array(piece), fc.boolean(), (pieces, allowInsecure) => {
        const text = pieces.join("");
        if (flawOf(text, allowInsecure) !== undefined) return;
        const url = normalizeBaseUrl(text, allowInsecure);
        assert.equal(normalizeBaseUrl(url, allowInsecure), url);
        assert.doesNotMatch(url, /\/$|[^/]\/v1$|[\s\\?#]|\bsk-\d{6}/i);
        assert.equal(new URL(url).username, "");
        assert.equal(new URL(`${url}/v1`).origin, new URL(text.trim()).origin);
      }),
    );
  });

  it("may be plain http anywhere if the user allows it", () => {
    assert.equal(normalizeBaseUrl("http://10.0.0.1:8080/v1", true), "http://10.0.0.1:8080");
  });

  it("is loopback only by its literal form", () => {
    const loopback = "localhost localhost. gateway.localhost a.b.localhost. 127.0.0.1 127.9.9.9 [::1]".split(" ");
    const others = ["localhost.example", "notlocalhost", "localhost..", "128.0.0.1", "127.example", "[::2]", ""];
    assert.deepEqual([...loopback, ...others].filter(isLoopback), loopback);
  });
});

/** The flaw of a base URL; `undefined` if it is accepted. */
function flawOf(text: string, allowInsecureHttp = false): BaseUrlFlaw | undefined {
  try {
    normalizeBaseUrl(text, allowInsecureHttp);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof GatewayError && error.kind === "badUrl" && error.flaw !== undefined);
    return error.flaw;
  }
}
