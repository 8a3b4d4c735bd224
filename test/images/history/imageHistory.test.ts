import assert from "node:assert/strict";
import { ImageHistory } from "../../../src/images/history/imageHistory.ts";
import type { ImageRecord } from "../../../src/images/storedImages.ts";
import { MemoryState } from "../../support/memoryState.ts";

const day = 24 * 60 * 60 * 1000;

describe("the history of images", () => {
  const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };
  const whole: ImageRecord = { file: "file:///w/fox.png", prompt: "a fox", size: "1024x1024", usage, savedAt: 5 };

  const noUris = ["a b:\n//x", "/w/fox.png", "mailto:fox"].map((file) => ({ ...whole, file }));
  const wrong = ["file:///w/fox.png", ...noUris, { ...whole, prompt: 7 }, { ...whole, savedAt: 1e99 }];
  it("leaves out what is no image, and facts of the wrong form", async () => {
    for (const stored of ["x", 7, { length: 3 }, null]) assert.deepEqual((await historyOf(stored)).all(), []);
    for (const record of wrong) assert.deepEqual((await historyOf([record, whole])).all(), [whole]);
    const history = await historyOf([{ ...whole, size: "<b>", usage: { totalTokens: -1 } }]);
    assert.deepEqual(history.all(), [{ file: whole.file, prompt: whole.prompt, savedAt: 5 }]);
  });

  it("lists nothing older than 90 days, and drops what is older than 90 days with the next image", async () => {
    let now = 0;
    const state = new MemoryState();
    const history = new ImageHistory(state, () => now);
    const names = (): readonly string[] => history.all().map(({ file }) => file.slice("file:///w/".length));
    for (const [time, name, kept] of [
      [0, "fox.png", "fox.png"],
      [90 * day, "owl.png", "owl.png fox.png"],
      [90 * day + 1, "elk.png", "elk.png owl.png"],
    ] as const) {
      now = time;
      await history.add({ ...whole, file: `file:///w/${name}`, savedAt: now });
      assert.equal(names().join(" "), kept);
    }
    assert.doesNotMatch(JSON.stringify(state.get("images")), /fox\.png/);
    now = 181 * day;
    assert.equal(names().join(" "), "");
  });

  it("remembers five hundred images", async () => {
    const many = Array.from({ length: 600 }, (_, index) => ({ ...whole, file: `file:///w/${String(index)}.png` }));
    const history = await historyOf(many);
    await history.add(whole);
    assert.deepEqual([history.all().length, history.all()[0]], [500, whole]);
  });

  it("is read back as it was written, empty after it was cleared, and says that it changed", async () => {
    const state = new MemoryState();
    const history = new ImageHistory(state, () => 5);
    await history.add(whole);
    assert.deepEqual(new ImageHistory(state, () => 5).all(), [whole]);
    let changes = 0;
    history.onDidChange(() => (changes += 1));
    await history.clear();
    assert.deepEqual([history.all(), state.keys(), changes], [[], [], 1]);
  });

  it("finds an image that was moved, with its folder, too, by the URI under which it was saved, also in a later window", async () => {
    const state = new MemoryState();
    const history = new ImageHistory(state, () => 5);
    await history.add(whole);
    await history.move([["file:///w/fox.png", "file:///w/a/logo.png"]]);
    await history.move([["file:///w/a", "file:///w/b"]]);
    const later = new ImageHistory(state, () => 5);
    for (const uri of [whole.file, "file:///w/b/logo.png"]) assert.equal(later.find(uri)?.file, "file:///w/b/logo.png");
    for (const uri of ["file:///w/a/logo.png", "", undefined]) assert.equal(later.find(uri), undefined);
    // The name is free again.
    await later.add(whole);
    assert.deepEqual(later.find(whole.file), whole);
  });
});

/** A history that reads this back. */
async function historyOf(stored: unknown): Promise<ImageHistory> {
  const state = new MemoryState();
  await state.update("images", stored);
  return new ImageHistory(state, () => 5);
}
