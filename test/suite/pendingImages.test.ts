import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { type Disposable, Uri, workspace } from "vscode";
import { GatewayError } from "../../src/gateway/errors.ts";
import type { ImageAnswer, ImageFile, ImageSource } from "../../src/gateway/types.ts";
import { downloadAndSave, generateImage, type GenerateNeeds, recoverImages } from "../../src/images/generateImage.ts";
import type { Images } from "../../src/images/images.ts";
import { targetIn } from "../../src/images/imageFolder.ts";
import type { PendingImage } from "../../src/images/storedImages.ts";
import { assemblePng } from "../support/gateway/png.ts";
import { testFolder } from "../support/testFolder.ts";
import { at } from "./editing.ts";
import { imagesIn } from "../support/imagesIn.ts";
import { MemoryFiles } from "./memoryFiles.ts";
import { MemoryState } from "../support/memoryState.ts";

const png = new Uint8Array(
  assemblePng({ width: 1, height: 1, colorType: 2 }, [["IDAT", deflateSync(Buffer.alloc(4))]]),
);
const folder = Uri.parse("codex-target:/images");
const order = { prompt: "a fox", size: undefined, folder };

describe("images whose bytes came with the answer", () => {
  const own = testFolder();
  const systems = memoryFileSystems();

  it("are delivered even if the extension's own storage cannot be written to", async () => {
    await writeFile(join(own(), "file"), "");
    const images = imagesIn(join(own(), "file"));
    const inline = await keepOne(images, { bytes: png });
    const linked = await keepOne(images, { url: "https://images.example/1" });
    assert.equal((await images.pending.all()).length, 2);
    await saveImage(images, inline);
    assert.deepEqual(Buffer.from(systems.files.entries.get("/images/a-fox.png") ?? []), Buffer.from(png));
    assert.deepEqual(await images.pending.all(), [linked]);
  });

  it("are not saved where they are cut off", async () => {
    const images = imagesIn(own());
    const image = await keepOne(images, { bytes: png.subarray(0, -5) });
    await assert.rejects(saveImage(images, image), { kind: "notAnImage" });
    assert.equal(systems.files.entries.get("/images/a-fox.png"), undefined);
    assert.deepEqual(await images.pending.all(), [image]);
  });

  it("keep the folder of the workspace that they must not leave, also in another window", async () => {
    const { pending } = imagesIn(own());
    await pending.store({ prompt: "a fox", size: undefined, ...targetIn(at("images")) }, answerOf({ bytes: png }));
    assert.equal((await imagesIn(own()).pending.all())[0]?.root, at("").toString());
  });

  it("can be delivered elsewhere after the folder was refused too", async () => {
    const images = imagesIn(own());
    const image = await keepOne(images, { bytes: png });
    const refused = await images.pending.update({ ...image, folder: "codex-full:/images" });
    await assert.rejects(saveImage(images, refused));
    assert.deepEqual(await images.pending.all(), [refused]);
    await saveImage(images, await images.pending.update({ ...refused, folder: folder.toString() }));
    assert.deepEqual(Buffer.from(systems.files.entries.get("/images/a-fox.png") ?? []), Buffer.from(png));
    assert.deepEqual(await images.pending.all(), []);
  });

  it("are in the history once they are saved, even if the extension's own copy cannot be deleted", async () => {
    const images = imagesIn(own());
    const image = await keepOne(images, { bytes: png });
    images.pending.remove = () => Promise.reject(new Error("The file is in use."));
    await saveImage(images, image);
    assert.equal(images.history.all()[0]?.file, "codex-target:/images/a-fox.png");
  });
});

describe("images whose links are kept", () => {
  const own = testFolder();
  const answer = answerOf(...Array.from({ length: 5 }, (_, index) => ({ url: `https://images.example/${index}` })));
  let asked: string[];
  let orders: number;
  let failed: unknown[];
  let services: GenerateNeeds;

  beforeEach(() => {
    asked = [];
    failed = [];
    orders = 0;
    const generateImage = (): Promise<ImageAnswer> => {
      orders += 1;
      return Promise.resolve(answer);
    };
    services = {
      gateway: { generateImage, downloadImage },
      images: imagesIn(own()),
      notifier: {
        guard: async (_, work) => {
          try {
            return await work();
          } catch (error) {
            failed.push(error);
            return undefined;
          }
        },
        inform: () => Promise.resolve(),
        report: () => undefined,
      },
    };
  });

  it("are all tried when they are recovered, each failing by itself", async () => {
    await services.images.pending.store({ prompt: "a fox", size: undefined, ...targetIn(folder) }, answer);
    await recoverImages(services);
    await assertAllFailed();
  });

  it("are all tried when one answer brought them, each failing by itself", async () => {
    await generateImage(services, order);
    await assertAllFailed();
  });

  it("are ordered once, whatever else cannot be read, written or tidied", async () => {
    const state = new MemoryState();
    await state.update("pendingImage.01234567-89ab-4cde-8f01-23456789abcd", { keptAt: 1 });
    state.update = () => Promise.reject(new Error("The state is closed."));
    await writeFile(join(own(), "file"), "");
    services = { ...services, images: imagesIn(join(own(), "file"), state) };
    await generateImage(services, order);
    await assertAllFailed();
    assert.equal(orders, 1);
    assert.ok(failed.every((error) => error instanceof GatewayError));
  });

  async function assertAllFailed(): Promise<void> {
    assert.deepEqual(asked.toSorted(), answer.images.map((source) => ("url" in source ? source.url : "")).toSorted());
    assert.equal(failed.length, 5);
    assert.equal((await services.images.pending.all()).length, 5);
  }

  function downloadImage(url: string): Promise<ImageFile> {
    asked.push(url);
    return Promise.reject(new GatewayError("unreachable", ""));
  }
});

/** Registers the file systems of these tests, new ones for each test. */
function memoryFileSystems(): { files: MemoryFiles } {
  const systems = { files: new MemoryFiles() };
  let registrations: readonly Disposable[] = [];

  beforeEach(() => {
    Object.assign(systems, { files: new MemoryFiles() });
    registrations = [
      workspace.registerFileSystemProvider("codex-target", systems.files, { isCaseSensitive: true }),
      workspace.registerFileSystemProvider("codex-full", new MemoryFiles(), { isReadonly: true }),
    ];
  });

  afterEach(() => {
    for (const registration of registrations) registration.dispose();
  });

  return systems;
}

function answerOf(...images: readonly ImageSource[]): ImageAnswer {
  return { images, usage: undefined, entry: "primary", requestId: undefined };
}

async function keepOne({ pending }: Images, source: ImageSource): Promise<PendingImage> {
  const [image] = await pending.store({ prompt: "a fox", size: undefined, ...targetIn(folder) }, answerOf(source));
  assert.ok(image);
  return image;
}

async function saveImage(images: Images, image: PendingImage): Promise<void> {
  // The bytes are here already.
  const never = (): never => assert.fail("Nothing is to be ordered or downloaded.");
  const gateway = { generateImage: never, downloadImage: never };
  await downloadAndSave({ gateway, images }, image, new AbortController().signal);
}
