import assert from "node:assert/strict";
import { LanguageModelDataPart, type MarkdownString, TabInputCustom, Uri, window, workspace } from "vscode";
import { answerImageCommand } from "../../src/chat/participant/handler.ts";
import type { ImageFile } from "../../src/gateway/types.ts";
import { recoverImages } from "../../src/images/generateImage.ts";
import { toolResult } from "../../src/images/chatImages.ts";
import { targetIn } from "../../src/images/imageFolder.ts";
import { testFolder } from "../support/testFolder.ts";
import { imagesIn } from "../support/imagesIn.ts";

describe("an image of more than 100 megapixels", () => {
  const own = testFolder();
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const uri = Uri.parse("file:///w/fox.png");

  after(async () => {
    await window.tabGroups.close(window.tabGroups.all.flatMap(({ tabs }) => tabs));
    if (folder) await workspace.fs.delete(Uri.joinPath(folder, "large"), { recursive: true });
  });

  for (const [width, height, isOpened] of [
    [10_000, 10_000, true],
    [10_001, 10_000, false],
    [0xffff_ffff, 0xffff_ffff, false],
  ] as const) {
    it(`is saved, and ${isOpened ? "one of less is opened" : "not opened"}: ${String(width)} × ${String(height)}`, async () => {
      assert.ok(folder);
      const images = imagesIn(own());
      const prompt = `picture ${String(width)}`;
      const order = { prompt, size: undefined, ...targetIn(Uri.joinPath(folder, "large")) };
      const links = [{ url: "https://images.example/1" }];
      const buttons: string[] = [];
      await images.pending.store(order, { images: links, usage: undefined, entry: "primary", requestId: undefined });
      await recoverImages({
        gateway: {
          generateImage: () => Promise.reject(new Error("Nothing is to be ordered.")),
          downloadImage: () => Promise.resolve(pngOf(width, height)),
        },
        images,
        notifier: {
          guard: (_, work) => Promise.resolve(work()),
          inform: (_, ...actions) => Promise.resolve(void buttons.push(...actions.map(({ title }) => title))),
          report: () => undefined,
        },
      });
      const [saved] = images.history.all();
      assert.ok(saved);
      assert.equal(saved.isLarge, isOpened ? undefined : true);
      assert.ok((await workspace.fs.stat(Uri.parse(saved.file))).size > 0);
      assert.equal(openFiles().includes(saved.file), isOpened);
      assert.deepEqual(buttons, isOpened ? ["Insert Link", "Reveal", "Refine…"] : ["Open", "Insert Link", "Reveal"]);
    });
  }

  it("is a link in the chat, without a picture, and a path for a model, without its bytes", async () => {
    for (const isLarge of [false, true]) {
      const shown: string[] = [];
      const stream = {
        markdown: (value: string | MarkdownString) => void shown.push(typeof value === "string" ? value : value.value),
        button: () => undefined,
        progress: () => undefined,
      };
      const turn = { request: { prompt: "a fox", command: "image" }, stream, signal: new AbortController().signal };
      await answerImageCommand(() => Promise.resolve([{ uri, isLarge }]), turn);
      assert.equal(shown.join("").includes("!["), !isLarge);
      assert.match(shown.join(""), /\]\(file:\/\/\/w\/fox\.png\)$/);
      const { content } = toolResult([{ uri, file: pngOf(1, 1), isLarge }]);
      const hasBytes = content.some((part) => part instanceof LanguageModelDataPart);
      assert.equal(hasBytes, !isLarge);
    }
  });
});

/** A file that declares its size; nothing else of it is read. */
function pngOf(width: number, height: number): ImageFile {
  const bytes = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\0\x08\x06\0\0\0\0\0\0\0", "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return { bytes, type: "png" };
}

/** The files of editors for pictures. */
function openFiles(): readonly string[] {
  const inputs = window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
  return inputs.filter((input) => input instanceof TabInputCustom).map(({ uri }) => uri.toString());
}
