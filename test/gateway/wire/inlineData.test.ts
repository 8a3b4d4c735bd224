import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeBase64, JsonOutline } from "../../../src/gateway/wire/inlineData.ts";
import { readImageSources } from "../../../src/gateway/wire/imageSources.ts";
import { longestTurn } from "../../support/longestTurn.ts";

/** The outline of a JSON text that comes in pieces. */
function outlineOf(json: string, size: number): JsonOutline {
  const outline = new JsonOutline();
  for (let at = 0; at < json.length; at += size) outline.add(json.slice(at, at + size));
  return outline;
}

describe("inline data", () => {
  it("leaves JSON without long strings as it is, wherever it is split", () => {
    fc.assert(
      fc.property(
        fc.json({ stringUnit: fc.constantFrom('"', "\\", "a", "é", "\n") }),
        fc.integer({ min: 1, max: 9 }),
        (json, size) => {
          assert.equal(outlineOf(json, size).text, json);
        },
      ),
      { seed: 7, numRuns: 500 },
    );
  });

  it("gives long strings back, however they are written and split", async () => {
    const bytes = Buffer.alloc(70_000, Buffer.from([251, 255, 254, 7, 0, 13]));
    const base64 = bytes.toString("base64");
    const forms = [
      base64,
      base64.replaceAll("/", String.raw`\/`),
      base64.replace(/.{76}/g, String.raw`$&\r\n`).replaceAll("+", String.raw`\u002b`),
      base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""),
      String.raw`data:image\/png;name=a;base64,` + base64.replaceAll("+", "%2B"),
    ];
    for (const form of forms) {
      for (const size of [1_001, 65_536, 1 << 20]) {
        const outline = outlineOf(`{"data":[{"b64_json":"${form}"}],"a":"\\\\"}`, size);
        const { data, a } = JSON.parse(outline.text) as { readonly data: unknown; readonly a: string };
        assert.equal(a, "\\");
        assert.ok(outline.text.length < 200);
        const [image] = await readImageSources(data, (text) => outline.piecesOf(text));
        assert.ok(image && "bytes" in image && bytes.equals(image.bytes), form.slice(0, 40));
      }
    }
  });

  it("is the right bytes or none", async () => {
    const property = fc.asyncProperty(
      fc.base64String(),
      fc.nat(),
      fc.constantFrom("!", "=", "é", "\\", "%", "a"),
      async (text, at, odd) => {
        const place = at % (text.length + 1);
        const changed = text.slice(0, place) + odd + text.slice(place);
        const decoded = await decodeBase64({ texts: [changed], isEscaped: false });
        if (decoded !== undefined && odd !== "%")
          assert.deepEqual(Buffer.from(decoded), Buffer.from(changed, "base64"));
        if (["!", "é", "\\"].includes(odd)) assert.equal(decoded, undefined);
      },
    );
    await fc.assert(property, { seed: 7, numRuns: 300 });
  });

  it("holds up nothing for long, however much there is", async () => {
    const json = `{"data":[{"b64_json":"${"ABCD".repeat(8 << 20)}"}]}`;
    const outline = outlineOf(json, 1 << 20);
    using turns = longestTurn();
    const { data } = JSON.parse(outline.text) as { readonly data: unknown };
    const [image] = await readImageSources(data, (text) => outline.piecesOf(text));
    assert.ok(image && "bytes" in image && image.bytes.length === 24 << 20);
    assert.ok(turns.longest < 50, `${turns.longest} ms`);
  });
});
