import assert from "node:assert/strict";
import { readdir, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import {
  type Disposable,
  LanguageModelDataPart,
  type MarkdownString,
  TabInputCustom,
  Uri,
  window,
  workspace,
} from "vscode";
import { answerImageCommand } from "../../src/chat/participant/handler.ts";
import { GatewayError } from "../../src/gateway/errors.ts";
import type { ImageAnswer, ImageFile, ImageSource } from "../../src/gateway/types.ts";
import { toolResult } from "../../src/images/chatImages.ts";
import {
  downloadAndSave,
  generateImage,
  type GenerateNeeds,
  orderAndStore,
  recoverImages,
  saveImage,
} from "../../src/images/generateImage.ts";
import { targetIn } from "../../src/images/imageFolder.ts";
import type { Images } from "../../src/images/images.ts";
import type { PendingImage } from "../../src/images/storedImages.ts";
import { OneAtATime } from "../../src/base/oneAtATime.ts";
import { assemblePng } from "../support/gateway/png.ts";
import { imagesIn } from "../support/imagesIn.ts";
import { MemoryState } from "../support/memoryState.ts";
import { testFolder } from "../support/testFolder.ts";
import { at } from "./editing.ts";
import { MemoryFiles } from "./memoryFiles.ts";

describe("images", () => {
  const [own, outside, other] = [testFolder(), testFolder(), testFolder()];
  const folder = Uri.parse("codex-memory:/images");
  const order = { prompt: "a fox", size: undefined, folder };
  const bytes = new Uint8Array(pngOf(1, 1).bytes);
  const naming = new OneAtATime();
  const { signal } = new AbortController();
  let files: MemoryFiles;
  let mounted: Disposable;

  beforeEach(() => {
    files = new MemoryFiles();
    mounted = workspace.registerFileSystemProvider("codex-memory", files, { isCaseSensitive: true });
  });
  afterEach(() => {
    mounted.dispose();
  });

  const savedAt = (path: string): Uint8Array => new Uint8Array(files.entries.get(path) ?? []);
  const never = (): never => assert.fail("Nothing is to be ordered or downloaded.");
  const keepOne = async ({ pending }: Images, source: ImageSource): Promise<PendingImage> => {
    const [image] = await pending.store({ ...order, ...targetIn(folder) }, answerOf(source));
    return image ?? assert.fail();
  };

  describe("that are saved", () => {
    const save = (prompt: string, target: { folder: string }, type: ImageFile["type"] = "png"): Promise<Uri> =>
      saveImage(naming, { bytes, type }, { id: crypto.randomUUID(), prompt, ...target });

    it("numbers images that finish together, names files after their bytes, and leaves no partial file", async () => {
      const saved = await Promise.all(Array.from({ length: 20 }, () => save("fox", targetIn(folder))));
      assert.equal(new Set(saved.map(String)).size, 20);
      assert.ok([...files.entries.keys()].every((path) => !path.endsWith(".part")));
      assert.deepEqual(savedAt("/images/fox-20.png"), bytes);
      assert.equal((await save("owl", targetIn(folder), "jpeg")).path, "/images/owl.jpg");
      assert.equal((await save("owl", targetIn(folder), "webp")).path, "/images/owl.webp");
    });

    for (const [what, onWrite] of [
      ["says so", () => assert.fail("ENOSPC: no space left on device, write")],
      ["says nothing, as VS Code's own does", () => undefined],
    ] as const)
      it(`reports an image that was not saved, and leaves no partial file, where a full disk ${what}`, async () => {
        files.writeFile = ({ path }, content) => {
          files.entries.set(path, content.subarray(0, 1));
          onWrite();
        };
        await assert.rejects(save("elk", targetIn(folder)), { name: "UserError", kind: "fileNotSaved" });
        assert.deepEqual([...files.entries.keys()], ["/images"]);
      });

    it("writes nothing through a link that leads out of the workspace, for which nothing is ordered either", async () => {
      const [link, real] = [at("linked-images"), at("real-images")];
      await symlink(outside(), link.fsPath, "junction");
      const services = { gateway: { generateImage: never, downloadImage: never }, images: imagesIn(own()) };
      try {
        for (const linked of [link, Uri.joinPath(link, "deeper")]) {
          await assert.rejects(save("elk", targetIn(linked)), { name: "UserError", kind: "folderLinked" });
          const ordered = orderAndStore(services, { ...order, folder: linked }, signal);
          await assert.rejects(ordered, { name: "UserError", kind: "folderLinked" });
        }
        assert.deepEqual(await readdir(outside()), []);
        const saved = await save("elk", targetIn(real));
        assert.deepEqual(new Uint8Array(await workspace.fs.readFile(saved)), bytes);
      } finally {
        await unlink(link.fsPath);
        await workspace.fs.delete(real, { recursive: true });
      }
    });

    it("writes nothing through a link that leads out of another window's workspace", async () => {
      const root = Uri.file(other());
      const linked = Uri.joinPath(root, "images");
      await symlink(outside(), linked.fsPath, "junction");
      const target = { folder: linked.toString(), root: root.toString() };
      // Version 1.0.0 kept no root.
      for (const kept of [target, { folder: target.folder }, { folder: Uri.joinPath(linked, "deeper").toString() }])
        await assert.rejects(save("elk", kept), { name: "UserError", kind: "folderLinked" });
      assert.deepEqual(await readdir(outside()), []);
      // The user chose this one.
      await save("elk", targetIn(linked));
      assert.deepEqual(await readdir(outside()), ["elk.png"]);
    });
  });

  describe("whose bytes came with the answer", () => {
    const deliver = (images: Images, image: PendingImage): Promise<unknown> =>
      downloadAndSave({ gateway: { generateImage: never, downloadImage: never }, images }, image, signal);

    it("are delivered even if the extension's own storage cannot be written to", async () => {
      await writeFile(join(own(), "file"), "");
      const images = imagesIn(join(own(), "file"));
      const inline = await keepOne(images, { bytes });
      const linked = await keepOne(images, { url: "https://images.example/1" });
      assert.equal((await images.pending.available()).length, 2);
      await deliver(images, inline);
      assert.deepEqual(savedAt("/images/a-fox.png"), bytes);
      assert.deepEqual(await images.pending.available(), [linked]);
    });

    it("are not saved where they are cut off", async () => {
      const images = imagesIn(own());
      const image = await keepOne(images, { bytes: bytes.subarray(0, -5) });
      await assert.rejects(deliver(images, image), { kind: "notAnImage" });
      assert.equal(files.entries.get("/images/a-fox.png"), undefined);
      assert.deepEqual(await images.pending.available(), [image]);
    });

    it("keep the folder of the workspace that they must not leave, also in another window", async () => {
      await imagesIn(own()).pending.store({ ...order, ...targetIn(at("images")) }, answerOf({ bytes }));
      assert.equal((await imagesIn(own()).pending.available())[0]?.root, at("").toString());
    });

    it("are in the history once they are saved, even if the extension's own copy cannot be deleted", async () => {
      const images = imagesIn(own());
      const image = await keepOne(images, { bytes });
      images.pending.remove = () => Promise.reject(new Error("The file is in use."));
      await deliver(images, image);
      assert.equal(images.history.all()[0]?.file, "codex-memory:/images/a-fox.png");
    });
  });

  describe("whose links are kept", () => {
    const links = Array.from({ length: 5 }, (_, index) => ({ url: `https://images.example/${index}` }));

    it("are ordered once, and all tried, each by itself, whatever else cannot be read, written or tidied", async () => {
      const state = new MemoryState();
      await state.update("pendingImage.01234567-89ab-4cde-8f01-23456789abcd", { keptAt: 1 });
      state.update = () => Promise.reject(new Error("The state is closed."));
      await writeFile(join(own(), "file"), "");
      const images = imagesIn(join(own(), "file"), state);
      const downloads: string[] = [];
      const failures: unknown[] = [];
      let orders = 0;
      const services: GenerateNeeds = {
        gateway: {
          generateImage: () => Promise.resolve(answerOf(...links)).finally(() => (orders += 1)),
          downloadImage: (url) => {
            downloads.push(url);
            return Promise.reject(new GatewayError("unreachable", ""));
          },
        },
        images,
        notifier: {
          run: (_, work) => Promise.try(work).catch((error: unknown) => void failures.push(error)),
          inform: () => Promise.resolve(),
          report: () => undefined,
        },
      };
      await generateImage(services, order);
      await recoverImages(services);
      const all = links.map(({ url }) => url);
      assert.deepEqual(downloads.toSorted(), [...all, ...all].toSorted());
      assert.equal(failures.length, 10);
      assert.ok(failures.every((error) => error instanceof GatewayError));
      assert.equal((await images.pending.available()).length, 5);
      assert.equal(orders, 1);
    });
  });

  describe("of more than 100 megapixels", () => {
    after(() => window.tabGroups.close(window.tabGroups.all.flatMap(({ tabs }) => tabs)));

    for (const [width, height, isOpened] of [
      [10_000, 10_000, true],
      [0xffff_ffff, 0xffff_ffff, false],
    ] as const)
      it(`are saved, and ${isOpened ? "opened at that size" : "not opened"}: ${String(width)} × ${String(height)}`, async () => {
        const images = imagesIn(own());
        const buttons: string[] = [];
        const large = { ...order, prompt: `picture ${String(width)}`, ...targetIn(at("large")) };
        await images.pending.store(large, answerOf({ url: "https://images.example/1" }));
        await recoverImages({
          gateway: { generateImage: never, downloadImage: () => Promise.resolve(pngOf(width, height)) },
          images,
          notifier: {
            run: (_, work) => Promise.resolve(work()),
            inform: (_, ...actions) => Promise.resolve(void buttons.push(...actions.map(({ title }) => title))),
            report: () => undefined,
          },
        });
        assert.deepEqual(buttons, isOpened ? ["Insert Link", "Reveal", "Refine…"] : ["Open", "Insert Link", "Reveal"]);
        const [saved] = images.history.all();
        assert.ok(saved);
        assert.equal(saved.isLarge, isOpened ? undefined : true);
        assert.ok((await workspace.fs.stat(Uri.parse(saved.file))).size > 0);
        const inputs = window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
        const opened = inputs.filter((input) => input instanceof TabInputCustom).map(({ uri }) => uri.toString());
        assert.equal(opened.includes(saved.file), isOpened);
        await workspace.fs.delete(at("large"), { recursive: true });
      });

    it("are a link in the chat, without a picture, and a path for a model, without their bytes", async () => {
      const uri = Uri.parse("file:///w/fox.png");
      for (const isLarge of [false, true]) {
        const shown: string[] = [];
        const stream = {
          markdown: (value: string | MarkdownString) =>
            void shown.push(typeof value === "string" ? value : value.value),
          button: () => undefined,
          progress: () => undefined,
        };
        const turn = { request: { prompt: "a fox", command: "image", references: [] }, stream, signal };
        await answerImageCommand(() => Promise.resolve([{ uri, isLarge }]), turn);
        assert.equal(shown.join("").includes("!["), !isLarge);
        assert.match(shown.join(""), /\]\(file:\/\/\/w\/fox\.png\)$/);
        const { content } = toolResult([{ uri, file: pngOf(1, 1), isLarge }]);
        const pictures = content.filter((part) => part instanceof LanguageModelDataPart);
        assert.equal(pictures.length, isLarge ? 0 : 1);
      }
    });
  });
});

/** A file that declares its size, with the pixels of another. */
function pngOf(width: number, height: number): ImageFile {
  const pixels = deflateSync(Buffer.alloc(4));
  return { bytes: assemblePng({ width, height, colorType: 2 }, [["IDAT", pixels]]), type: "png" };
}

function answerOf(...images: readonly ImageSource[]): ImageAnswer {
  return { images, usage: undefined, entry: "primary", requestId: undefined };
}
