import assert from "node:assert/strict";
import fc from "fast-check";
import { historyPage, type PageFrame } from "../../../src/images/history/historyPage.ts";
import type { ImageRecord } from "../../../src/images/storedImages.ts";

const frame: PageFrame = {
  language: "en",
  source: "https://page.example",
  styleSheet: "https://page.example/images.css",
  addressOf: (file) => `https://page.example/${file}`,
  factsOf: () => "1024x1024 · 3 tokens",
  heading: "1 image",
  actions: [
    { command: "codexGateway.openImage", title: "Open" },
    { command: "codexGateway.copyImagePath", title: "Copy Path" },
  ],
  ticket: "a-ticket",
};
const fox: ImageRecord = { file: "file:///w/fox.png", prompt: "a fox", savedAt: 0 };

describe("the page of the view", () => {
  it("loads nothing but images and a style sheet of its own", () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(historyPage([fox], frame))?.[1];
    assert.equal(policy, "default-src &#39;none&#39;; img-src https://page.example; style-src https://page.example");
  });

  it("says with each click that it came from there, and of which image", () => {
    const links = [...historyPage([fox], frame).matchAll(/href="command:([\w.]+)\?([^"]+)"/g)];
    const clicks = links.map(([, command, query = ""]) => [command, decodeURIComponent(query)]);
    const sent = JSON.stringify([{ image: fox.file, ticket: "a-ticket" }]);
    assert.deepEqual(clicks, [
      ["codexGateway.openImage", sent],
      ["codexGateway.copyImagePath", sent],
    ]);
  });

  it("shows no picture of an image that is too large to be shown by itself", () => {
    assert.match(historyPage([fox], frame), /<img src="https:\/\/page\.example\/file:\/\/\/w\/fox\.png"/);
    assert.doesNotMatch(historyPage([{ ...fox, isLarge: true }], frame), /<img/);
  });

  it("has the same elements whatever prompts and files are called", () => {
    const foreign = fc.oneof(
      fc.constantFrom('"><script>', "'", "</li>", "<img src=x onerror=y>", "javascript:", "&quot;", "--></p>", "\0"),
      fc.string({ unit: "binary", maxLength: 30 }),
    );
    const record = fc.record({ file: foreign, prompt: foreign, savedAt: fc.constant(0) });
    const expected = elementsOf(historyPage([fox], frame));
    fc.assert(
      fc.property(record, (image) => {
        const page = historyPage([{ ...image, file: image.file.toWellFormed() }], frame);
        assert.deepEqual(elementsOf(page), expected);
        for (const [, target = ""] of page.matchAll(/href="([^"]*)"/g))
          assert.match(target, /^(?:https:|command:codexGateway\.)/);
      }),
      { seed: 11, numRuns: 2_000 },
    );
  });
});

/** Tags with the names of their attributes. */
function elementsOf(page: string): readonly string[] {
  return [...page.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/"[^"]*"/g, '""'));
}
