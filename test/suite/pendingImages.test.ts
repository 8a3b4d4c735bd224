import assert from "node:assert/strict";
import { Uri, workspace } from "vscode";
import type { ImageSource } from "../../src/gateway/types.ts";
import { deliverImage } from "../../src/images/deliverImage.ts";
import type { Images } from "../../src/images/images.ts";
import type { PendingImage } from "../../src/images/pendingImages.ts";
import { imagesIn } from "./imagesIn.ts";
import { MemoryFiles } from "./memoryFiles.ts";

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]);
const folder = Uri.parse("codex-target:/images");
const order = { prompt: "a fox", size: undefined, folder };

describe("images whose bytes came with the answer", () => {
  const files = new MemoryFiles();
  const storage = new MemoryFiles();
  const registrations = [
    workspace.registerFileSystemProvider("codex-target", files, { isCaseSensitive: true }),
    workspace.registerFileSystemProvider("codex-storage", storage, { isCaseSensitive: true }),
    workspace.registerFileSystemProvider("codex-full", new MemoryFiles(), { isReadonly: true }),
  ];

  afterEach(() => {
    files.entries.clear();
  });

  after(() => {
    for (const registration of registrations) registration.dispose();
  });

  it("are delivered even if the extension's own storage cannot be written to", async () => {
    const images = imagesIn("codex-full:/own");
    const [inline, linked] = await keep(images, [{ bytes: png }, { url: "https://images.example/1" }]);
    assert.equal(images.pending.all().length, 2);
    assert.ok(inline);
    await deliver(images, inline);
    assert.deepEqual(files.entries.get("/images/a-fox.png"), png);
    assert.deepEqual(images.pending.all(), [linked]);
  });

  it("can be delivered elsewhere after the folder was refused too", async () => {
    const images = imagesIn("codex-full:/own");
    const [image] = await keep(images, [{ bytes: png }]);
    assert.ok(image);
    const refused = await images.pending.update({ ...image, folder: "codex-full:/images" });
    await assert.rejects(deliver(images, refused));
    const [kept] = images.pending.all();
    assert.deepEqual(kept, refused);
    await deliver(images, await images.pending.update({ ...refused, folder: folder.toString() }));
    assert.deepEqual(files.entries.get("/images/a-fox.png"), png);
    assert.deepEqual(images.pending.all(), []);
  });

  it("are in the history once they are saved, even if the extension's own copy cannot be deleted", async () => {
    const images = imagesIn("codex-storage:/own");
    const [image] = await keep(images, [{ bytes: png }]);
    assert.ok(image);
    storage.delete = () => {
      throw new Error("The file is in use.");
    };
    await deliver(images, image);
    assert.deepEqual(
      images.history.all().map(({ file }) => file),
      ["codex-target:/images/a-fox.png"],
    );
    assert.deepEqual(images.pending.all(), []);
  });
});

async function keep({ pending }: Images, images: readonly ImageSource[]): Promise<readonly PendingImage[]> {
  return await pending.keep(order, { images, usage: undefined, entry: "primary", requestId: undefined });
}

async function deliver(images: Images, image: PendingImage): Promise<void> {
  await deliverImage({ gateway: { downloadImage }, images }, image, new AbortController().signal);
}

/** The bytes are here already. */
function downloadImage(): never {
  throw new Error("Nothing is to be downloaded.");
}
