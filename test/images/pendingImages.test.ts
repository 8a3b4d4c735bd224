import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ImageAnswer, ImageSource } from "../../src/gateway/types.ts";
import { PendingImages, type PendingOptions } from "../../src/images/pendingImages.ts";
import type { PendingImage } from "../../src/images/storedImages.ts";
import { testFolder } from "../support/testFolder.ts";
import { MemoryState } from "../support/memoryState.ts";

const link = "https://images.example/1.png";
const folder = "file:///w/images";
const order = { prompt: "a fox", size: undefined, folder, root: "file:///w" };
const id = "01234567-89ab-4cde-8f01-23456789abcd";
const entry = `pendingImage.${id}`;
const stored = { id, prompt: "a fox", folder };
const bytes = new Uint8Array([1, 2, 3]);

function answerOf(...images: readonly ImageSource[]): ImageAnswer {
  return { images, usage: undefined, entry: "primary", requestId: undefined };
}

describe("images that are not saved yet", () => {
  const storage = testFolder();
  const opened = (more: Partial<PendingOptions> = {}): PendingImages =>
    new PendingImages({ state: new MemoryState(), storage: storage(), ...more });
  const keep = (pending: PendingImages, ...images: readonly ImageSource[]): Promise<readonly PendingImage[]> =>
    pending.store(order, answerOf(...images));

  it("are known to another window, with all that was kept, in files that only the user may read", async () => {
    const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };
    const answer = { ...answerOf({ url: link }, { bytes }), usage };
    const kept = await opened({ now: () => 7 }).store({ ...order, size: "1024x1024" }, answer);
    const other = opened({ now: () => 7 });
    assert.deepEqual(new Set(await other.available()), new Set(kept));
    const [linked, inline] = kept;
    assert.ok(linked && inline);
    const facts = { prompt: "a fox", folder, root: "file:///w", keptAt: 7, size: "1024x1024" };
    assert.deepEqual(linked, { id: linked.id, url: link, usage, ...facts });
    assert.deepEqual(inline, { id: inline.id, isInline: true, bytes: "AQID", ...facts });
    assert.deepEqual(new Uint8Array(await other.bytesOf(inline)), bytes);
    if (process.platform !== "win32")
      for (const name of readdirSync(join(storage(), "images")))
        assert.equal(statSync(join(storage(), "images", name)).mode & 0o777, 0o600);
  });

  it("of version 1.1.0 are read and deleted by their id in the extension's own storage, whatever else the state names", async () => {
    const state = new MemoryState();
    const foreign = join(storage(), "foreign");
    writeFileSync(foreign, "secret");
    await state.update(entry, { ...stored, isInline: true, url: pathToFileURL(foreign).href, keptAt: 1 });
    writeFileSync(join(storage(), id), bytes);
    const linked = { ...stored, id: id.replace("0", "1"), url: link, keptAt: 9e12, isExpired: true };
    await state.update(`pendingImage.${linked.id}`, linked);
    const pending = opened({ state });
    const [image, other] = await pending.available();
    assert.ok(image);
    assert.deepEqual([image, other], [{ ...stored, isInline: true, keptAt: 1 }, linked]);
    assert.deepEqual(new Uint8Array(await pending.bytesOf(image)), bytes);
    const moved = await pending.update({ ...image, folder: "file:///elsewhere" });
    assert.deepEqual((await opened({ state }).available())[0], moved);
    await pending.remove(image);
    const left = [id, "foreign"].map((name) => existsSync(join(storage(), name)));
    assert.deepEqual([await pending.available(), left], [[linked], [false, true]]);
  });

  const wrong: readonly (readonly [string, string, unknown])[] = [
    ["a file of the user", entry, { ...stored, url: "file:///home/me/.ssh/id_rsa" }],
    ["no address", entry, stored],
    ["an id that leads out", "pendingImage.../../secret", { ...stored, id: "../../secret", isInline: true }],
    ["an id that is not that of its entry", entry, { ...stored, id: id.replace("0", "1"), url: link }],
    ["a prompt that is no text", entry, { ...stored, url: link, prompt: { a: 1 } }],
    ["a folder that is no URI", entry, { ...stored, url: link, folder: "a b:\n//c" }],
    ["a text", entry, "x"],
  ];
  it("are nothing else that stands in the state or in a file, which hides no other, and no facts of the wrong form", async () => {
    mkdirSync(join(storage(), "images"));
    writeFileSync(join(storage(), "images", `${crypto.randomUUID()}.json`), "{");
    const facts = { size: "huge", usage: { totalTokens: "9" }, keptAt: Infinity, isExpired: "yes" };
    const withoutFacts = new MemoryState();
    await withoutFacts.update(entry, { ...stored, url: link, ...facts });
    assert.deepEqual(await opened({ state: withoutFacts }).available(), [{ ...stored, url: link }]);
    for (const [what, key, value] of wrong) {
      const state = new MemoryState();
      await state.update(key, value);
      const pending = opened({ state });
      await pending.tidy();
      assert.deepEqual(await pending.available(), [], what);
      const [kept] = await keep(pending, { url: link });
      assert.ok(kept);
      assert.deepEqual(await pending.available(), [kept], what);
      await pending.remove(kept);
    }
  });

  it("lose links after 30 days, and never bytes", async () => {
    let now = 0;
    const pending = opened({ now: () => now });
    await keep(pending, { url: link }, { bytes });
    now = 30 * 24 * 60 * 60 * 1000;
    assert.equal((await pending.available()).length, 2);
    now += 1;
    const [inline, ...others] = await pending.available();
    assert.deepEqual([inline?.isInline, others], [true, []]);
    await pending.tidy();
    assert.equal(readdirSync(join(storage(), "images")).filter((name) => name.endsWith(".json")).length, 1);
  });

  it("leave no temporary file of a window that ended while writing it", async () => {
    const pending = opened();
    const kept = await keep(pending, { url: link });
    const [old, recent] = [id, id.replace("0", "1")].map((id) => join(storage(), "images", `${id}.json.tmp`));
    assert.ok(old && recent);
    for (const file of [old, recent]) writeFileSync(file, "{");
    const twoHoursAgo = Date.now() / 1000 - 2 * 60 * 60;
    utimesSync(old, twoHoursAgo, twoHoursAgo);
    await pending.tidy();
    assert.deepEqual([existsSync(old), existsSync(recent), await pending.available()], [false, true, kept]);
  });

  it("are left alone by all other windows while one is saving them", async () => {
    const [one, other] = [opened(), opened()];
    const [held, free] = await keep(one, { url: link }, { bytes });
    assert.ok(held && free);
    const listed = await other.available();
    await one.withLock(held.id, async () => {
      assert.deepEqual([await other.available(), await one.available()], [[free], [free]]);
      for (const window of [one, other])
        assert.equal(await window.withLock(held.id, () => Promise.resolve("twice")), undefined);
      await other.clear(listed);
    });
    assert.deepEqual(await other.available(), [held]);
    assert.deepEqual(readdirSync(join(storage(), "images")), [`${held.id}.json`]);
    await other.remove(held);
    assert.equal(await one.withLock(held.id, () => Promise.resolve("saved already")), undefined);
  });

  it("are kept, and can be saved, whatever cannot be read or written, and the link by VS Code", async () => {
    writeFileSync(join(storage(), "images"), "in the way");
    const state = new MemoryState();
    const pending = opened({ state });
    const kept = await keep(pending, { url: link }, { bytes });
    const [linked, inline] = kept;
    assert.ok(linked && inline);
    assert.deepEqual(new Set(await pending.available()), new Set(kept));
    assert.deepEqual(await opened({ state }).available(), [linked]);
    assert.equal(await pending.withLock(inline.id, () => Promise.resolve("saved")), "saved");
    await pending.remove(inline);
    state.update = () => Promise.reject(new Error("No state."));
    assert.equal((await keep(pending, { url: link })).length, 1);
    assert.equal((await pending.available()).length, 2);
  });
});
