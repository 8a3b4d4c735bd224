import assert from "node:assert/strict";
import type { ChatImage } from "../../src/gateway/types.ts";
import { imageTokens, promptImage } from "../../src/prompts/promptImages.ts";
import { TokenCounter } from "../../src/prompts/tokenCounter.ts";
import { processorTime } from "../support/assertLinear.ts";
import { each } from "../support/each.ts";
import { assemblePng } from "../support/gateway/png.ts";

const png = (width: number, height: number): Buffer => assemblePng({ width, height, colorType: 2 }, []);
const typeOf = (bytes: Uint8Array): string | undefined => promptImage(bytes)?.mimeType;

describe("an image for a model", () => {
  it("has the type of its content", () => {
    const starts = { png: "\x89PNG\r\n\x1a\n", jpeg: "\xff\xd8\xff\xe0", gif: "GIF89a", webp: "RIFF\0\0\0\0WEBP" };
    for (const [type, start] of Object.entries(starts)) {
      assert.equal(typeOf(Buffer.from(`${start}more`, "latin1")), `image/${type}`);
    }
    assert.equal(typeOf(Buffer.from("GIF87a")), "image/gif");
    for (const other of ["", "GIF", "BM", "II*\0", "<svg>", "\0\0\0\x18ftypheic"]) {
      assert.equal(typeOf(Buffer.from(other, "latin1")), undefined, other);
    }
  });

  // The first two are OpenAI's own examples.
  each<[number, number], number>([
    ["counts as its squares", 1024, 1024, 765],
    ["counts as what is left when it is made to fit", 2048, 4096, 1_105],
    ["is not made larger", 100, 100, 255],
    ["counts as 2048 × 4096 pixels without a size", 0, 0, 1_105],
  ]).gives((width, height) => imageTokens([{ mimeType: "image/png", bytes: png(width, height) }]));

  it("costs a constant number of tokens if its header has no size", () => {
    const endless: ChatImage = { mimeType: "image/jpeg", bytes: new Uint8Array(20_000_000).fill(0xff) };
    endless.bytes.set([0xff, 0xd8]);
    const images = [endless, { mimeType: "image/gif", bytes: Buffer.from("GIF89a") }];
    const time = processorTime(() => {
      assert.equal(imageTokens(images), 2 * 1_105);
    });
    assert.ok(time < 50);
  });

  it("counts in requests, and in learning from them", () => {
    const images = [{ mimeType: "image/png", bytes: png(1024, 1024) }];
    const counter = new TokenCounter();
    const before = counter.count("gpt-5.4", "", images);
    assert.ok(before >= 765 && before < 1_000);
    const messages = [{ role: "user", content: "", images }] as const;
    for (let count = 0; count < 50; count += 1) counter.learn({ model: "gpt-5.4", messages }, 765);
    assert.equal(counter.count("gpt-5.4", "", images), before);
  });
});
