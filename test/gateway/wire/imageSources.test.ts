import assert from "node:assert/strict";
import fc from "fast-check";
import { GatewayError, type GatewayErrorKind } from "../../../src/gateway/errors.ts";
import { isImageLink, readImageSources } from "../../../src/gateway/wire/imageSources.ts";
import { anyText } from "../../support/anyText.ts";
import { longestTurn } from "../../support/longestTurn.ts";
import { each } from "../../support/each.ts";

const base64 = Buffer.from("picture").toString("base64");
const inline = { bytes: Buffer.from("picture") };
const link = "https://images.example/1.png?sig=a";

describe("the images of an answer", () => {
  each<[element: unknown], unknown>([
    ["an https link", { url: link }, { url: link }],
    ["an http link", { url: "http://images.example/1.png" }, { url: "http://images.example/1.png" }],
    ["bytes inside the answer", { b64_json: base64 }, inline],
    ["bytes in a data: URL", { url: `data:image/png;base64,${base64}` }, inline],
    ["bytes with the head of a data: URL", { b64_json: `data:image/webp;base64,${base64}` }, inline],
    ["bytes in a data: URL with parameters", { url: `data:image/png;name=a.png;base64,${base64}` }, inline],
    ["bytes in a data: URL without a type", { url: `data:;base64,${base64}` }, inline],
    ["bytes with blanks", { b64_json: ` ${base64.slice(0, 3)}\r\n${base64.slice(3)}\n` }, inline],
    ["bytes in the alphabet of URLs", { b64_json: "-_-_" }, { bytes: Buffer.from("+/+/", "base64") }],
    ["bytes beside an address that is not taken", { url: "file:///etc/passwd", b64_json: base64 }, inline],
  ]).hold(async (element, expected) => {
    assert.deepEqual(await readImageSources([element]), [expected]);
  });

  const dropped: readonly (readonly [string, unknown, GatewayErrorKind])[] = [
    ["a file: URL", { url: "file:///home/me/.ssh/id_rsa" }, "linkForbidden"],
    ["data that is no image", { url: `data:text/html;base64,${base64}` }, "linkForbidden"],
    ["a path", { url: "/home/me/x.png" }, "linkForbidden"],
    ["a link of more than 8 KB", { url: `https://images.example/${"x".repeat(8 * 1024)}` }, "linkForbidden"],
    ["a link that is no text", { url: { href: link } }, "noImage"],
    ["bytes with other characters between them", { b64_json: `${base64.slice(0, 4)}!${base64.slice(4)}` }, "noImage"],
    ["bytes behind an end", { b64_json: `QQ==${base64}` }, "noImage"],
    ["a single character", { b64_json: "Q" }, "noImage"],
    ["no object", link, "noImage"],
  ];
  for (const [what, element, kind] of dropped) {
    it(`are not taken from ${what}`, async () => {
      await assert.rejects(
        readImageSources([element]),
        (error) => error instanceof GatewayError && error.kind === kind && error.sent === "maybe",
      );
      assert.deepEqual(await readImageSources([element, { url: link }]), [{ url: link }]);
    });
  }

  it("may be a single one in place of a list", async () => {
    assert.deepEqual(await readImageSources({ url: link }), [{ url: link }]);
  });

  it("are ten at the most", async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => ({ url: `https://images.example/${String(index)}` }));
    const images = await readImageSources(many);
    assert.equal(images.length, 10);
    assert.deepEqual(images[9], { url: "https://images.example/9" });
  });

  it("block nothing for long, however large they are", async () => {
    using turns = longestTurn();
    const [image] = await readImageSources({ b64_json: "A-_D\n".repeat(4 << 20) });
    assert.ok(image && "bytes" in image && image.bytes.length === 12 << 20);
    assert.ok(turns.longest < 1_000, `${turns.longest} ms`);
  });

  it("never have another address than http(s)", async () => {
    const schemes = fc.constantFrom(..."file:|File:| file:|fi\tle:|vscode:|command:|http:|https:|".split("|"));
    const url = fc.tuple(schemes, fc.constantFrom("//", "/", "\\\\", ""), anyText).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(fc.array(url, { maxLength: 5 }), async (urls) => {
        const images = await readImageSources([...urls.map((text) => ({ url: text })), { url: link }]);
        for (const image of images) {
          assert.ok("url" in image && isImageLink(image.url));
          assert.match(new URL(image.url).protocol, /^https?:$/);
        }
      }),
      { seed: 11, numRuns: 300 },
    );
  });
});
