import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import { type Disposable, Uri, workspace } from "vscode";
import { GatewayError } from "../../src/gateway/errors.ts";
import type { ImageAnswer, ImageFile, ImageSource } from "../../src/gateway/types.ts";
import {
  downloadAllPending,
  downloadAndSave,
  generateImage,
  type GenerateNeeds,
} from "../../src/images/generateImage.ts";
import type { Images } from "../../src/images/images.ts";
import { PendingImages } from "../../src/images/pendingImages.ts";
import type { PendingImage } from "../../src/images/storedImages.ts";
import { assemblePng } from "../support/gateway/png.ts";
import { at } from "./editing.ts";
import { imagesIn } from "./imagesIn.ts";
import { MemoryFiles } from "./memoryFiles.ts";
import { MemoryState } from "./memoryState.ts";

const png = new Uint8Array(
  assemblePng({ width: 1, height: 1, colorType: 2 }, [["IDAT", deflateSync(Buffer.alloc(4))]]),
);
const folder = Uri.parse("codex-target:/images");
const order = { prompt: "a fox", size: undefined, folder };
const id = "01234567-89ab-4cde-8f01-23456789abcd";
const entry = `pendingImage.${id}`;
const stored = { id, prompt: "a fox", folder: folder.toString() };
const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };

describe("images whose bytes came with the answer", () => {
  const systems = memoryFileSystems();

  it("are delivered even if the extension's own storage cannot be written to", async () => {
    const images = imagesIn("codex-full:/own");
    const inline = await keepOne(images, { bytes: png });
    const linked = await keepOne(images, { url: "https://images.example/1" });
    assert.equal(images.pending.all().length, 2);
    await saveImage(images, inline);
    assert.deepEqual(systems.files.entries.get("/images/a-fox.png"), png);
    assert.deepEqual(images.pending.all(), [linked]);
  });

  it("are not saved where they are cut off", async () => {
    const images = imagesIn("codex-storage:/own");
    const image = await keepOne(images, { bytes: png.subarray(0, -5) });
    await assert.rejects(saveImage(images, image), { kind: "notAnImage" });
    assert.equal(systems.files.entries.get("/images/a-fox.png"), undefined);
    assert.deepEqual(images.pending.all(), [image]);
  });

  it("keep the folder of the workspace that they must not leave, also in another window", async () => {
    const state = new MemoryState();
    const images = imagesIn("codex-storage:/own", state);
    await keep(images, [{ url: "https://images.example/1" }], at("images"));
    assert.equal(imagesIn("codex-storage:/own", state).pending.all()[0]?.root, at("").toString());
  });

  it("can be delivered elsewhere after the folder was refused too", async () => {
    const images = imagesIn("codex-full:/own");
    const image = await keepOne(images, { bytes: png });
    const refused = await images.pending.update({ ...image, folder: "codex-full:/images" });
    await assert.rejects(saveImage(images, refused));
    const [kept] = images.pending.all();
    assert.deepEqual(kept, refused);
    await saveImage(images, await images.pending.update({ ...refused, folder: folder.toString() }));
    assert.deepEqual(systems.files.entries.get("/images/a-fox.png"), png);
    assert.deepEqual(images.pending.all(), []);
  });

  it("are in the history once they are saved, even if the extension's own copy cannot be deleted", async () => {
    const images = imagesIn("codex-storage:/own");
    const image = await keepOne(images, { bytes: png });
    systems.storage.delete = () => {
      throw new Error("The file is in use.");
    };
    await saveImage(images, image);
    assert.equal(images.history.all()[0]?.file, "codex-target:/images/a-fox.png");
    assert.deepEqual(images.pending.all(), []);
  });

  it("are read and deleted by their id in the extension's own storage, whatever else the state names", async () => {
    systems.storage.entries.set(`/own/${id}`, png);
    systems.storage.entries.set("/secret", png);
    const images = await withStored({ isInline: true, url: "codex-storage:/own/../secret" });
    const [image] = images.pending.all();
    assert.ok(image && !("url" in image));
    await images.pending.forget(image);
    assert.equal(systems.storage.entries.has(`/own/${id}`), false);
    assert.ok(systems.storage.entries.has("/secret"));
  });

  it("are still delivered after an upgrade from the version that kept the address of their file", async () => {
    systems.storage.entries.set(`/own/${id}`, png);
    const images = await withStored({ url: `codex-storage:/own/${id}` });
    const [image] = images.pending.all();
    assert.ok(image);
    await saveImage(images, image);
    assert.deepEqual(systems.files.entries.get("/images/a-fox.png"), png);
  });
});

describe("what is read back of images that are not saved yet", () => {
  const systems = memoryFileSystems();
  const link = "https://images.example/1.png";

  it("is everything that was kept", async () => {
    const whole = { ...stored, url: link, size: "1024x1024", usage, keptAt: 1, isExpired: true };
    assert.deepEqual((await withStored(whole)).pending.all(), [whole]);
  });

  const wrong: readonly (readonly [string, string, unknown])[] = [
    ["a file of the user", entry, { ...stored, url: "file:///home/me/.ssh/id_rsa" }],
    ["an address like the storage's", entry, { ...stored, url: `codex-storage:/own/${id}/../../secret` }],
    ["no address", entry, stored],
    ["an id that leads out", "pendingImage.../../secret", { ...stored, id: "../../secret", isInline: true }],
    ["an id that is not that of its entry", entry, { ...stored, id: id.replace("0", "1"), url: link }],
    ["a prompt that is no text", entry, { ...stored, url: link, prompt: { a: 1 } }],
    ["a folder that is no URI", entry, { ...stored, url: link, folder: "a b:\n//c" }],
    ["a text", entry, "x"],
  ];
  it("is nothing else, which is dropped with the next image and hides no other", async () => {
    for (const [what, key, value] of wrong) {
      const state = new MemoryState();
      await state.update(key, value);
      const images = imagesIn("codex-storage:/own", state);
      assert.deepEqual(images.pending.all(), [], what);
      const kept = await keep(images, [{ url: link }]);
      assert.deepEqual(images.pending.all(), kept, what);
      assert.deepEqual(state.keys(), [`pendingImage.${kept[0]?.id ?? ""}`], what);
    }
  });

  it("leaves out facts of the wrong form", async () => {
    const odd = { size: "huge", usage: { totalTokens: "9" }, keptAt: Infinity, isExpired: "yes" };
    assert.deepEqual((await withStored({ url: link, ...odd })).pending.all(), [{ ...stored, url: link }]);
  });

  it("loses links after 30 days, with the next image, and never bytes", async () => {
    const day = 24 * 60 * 60 * 1000;
    let now = 0;
    const state = new MemoryState();
    const pending = new PendingImages(state, Uri.parse("codex-full:/own"), () => now);
    const images: Images = { ...imagesIn("codex-full:/own"), pending };
    await state.update(entry, { ...stored, url: link });
    await keep(images, [{ url: link }, { bytes: png }]);
    now = 30 * day;
    await keep(images, []);
    assert.equal(pending.all().length, 3);
    now += 1;
    await keep(images, []);
    assert.deepEqual([pending.all().length, pending.all()[0]?.isInline], [1, true]);
  });

  it("is nothing after it was cleared, but what is being fetched", async () => {
    const images = imagesIn("codex-storage:/own");
    await keep(images, [{ url: link }, { bytes: png }]);
    const held = await keepOne(images, { bytes: png });
    systems.storage.entries.set("/own/notes.txt", png);
    await images.pending.hold(held.id, () => images.pending.clear());
    assert.deepEqual(images.pending.all(), [held]);
    assert.deepEqual(new Set(systems.storage.entries.keys()), new Set(["/own", `/own/${held.id}`, "/own/notes.txt"]));
  });
});

describe("images whose links are kept", () => {
  const answer: ImageAnswer = {
    images: Array.from({ length: 5 }, (_, index) => ({ url: `https://images.example/${index}` })),
    usage: undefined,
    entry: "primary",
    requestId: undefined,
  };
  let asked: string[];
  let failed: unknown[];
  let services: GenerateNeeds;

  beforeEach(() => {
    asked = [];
    failed = [];
    services = {
      gateway: { generateImage: () => Promise.resolve(answer), downloadImage },
      images: imagesIn("codex-full:/own"),
      notifier: {
        guard: async (_, work) => {
          try {
            return await work();
          } catch (error) {
            failed.push(error);
            return undefined;
          }
        },
        report: () => undefined,
      },
    };
  });

  it("are all tried when they are recovered, each failing by itself", async () => {
    await services.images.pending.keep(order, answer);
    assert.equal(await downloadAllPending(services), 5);
    assertAllFailed();
  });

  it("are all tried when one answer brought them, each failing by itself", async () => {
    await generateImage(services, order);
    assertAllFailed();
  });

  function assertAllFailed(): void {
    assert.deepEqual(asked.toSorted(), answer.images.map((source) => ("url" in source ? source.url : "")).toSorted());
    assert.equal(failed.length, 5);
    assert.equal(services.images.pending.all().length, 5);
  }

  function downloadImage(url: string): Promise<ImageFile> {
    asked.push(url);
    return Promise.reject(new GatewayError("unreachable", ""));
  }
});

/** Registers the file systems of these tests, new ones for each test. */
function memoryFileSystems(): { files: MemoryFiles; storage: MemoryFiles } {
  const systems = { files: new MemoryFiles(), storage: new MemoryFiles() };
  let registrations: readonly Disposable[] = [];

  beforeEach(() => {
    Object.assign(systems, { files: new MemoryFiles(), storage: new MemoryFiles() });
    registrations = [
      workspace.registerFileSystemProvider("codex-target", systems.files, { isCaseSensitive: true }),
      workspace.registerFileSystemProvider("codex-storage", systems.storage, { isCaseSensitive: true }),
      workspace.registerFileSystemProvider("codex-full", new MemoryFiles(), { isReadonly: true }),
    ];
  });

  afterEach(() => {
    for (const registration of registrations) registration.dispose();
  });

  return systems;
}

/** Images of which one was kept in an earlier window. */
async function withStored(more: object): Promise<Images> {
  const state = new MemoryState();
  await state.update(entry, { ...stored, ...more });
  return imagesIn("codex-storage:/own", state);
}

async function keep(
  { pending }: Images,
  images: readonly ImageSource[],
  target = folder,
): Promise<readonly PendingImage[]> {
  const answer: ImageAnswer = { images, usage: undefined, entry: "primary", requestId: undefined };
  return await pending.keep({ ...order, folder: target }, answer);
}

async function keepOne(images: Images, source: ImageSource): Promise<PendingImage> {
  const [image] = await keep(images, [source]);
  assert.ok(image);
  return image;
}

async function saveImage(images: Images, image: PendingImage): Promise<void> {
  await downloadAndSave({ gateway: { downloadImage }, images }, image, new AbortController().signal);
}

/** The bytes are here already. */
function downloadImage(): never {
  throw new Error("Nothing is to be downloaded.");
}
