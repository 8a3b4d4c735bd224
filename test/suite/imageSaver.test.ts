import assert from "node:assert/strict";
import { readdir, symlink, unlink } from "node:fs/promises";
import { Uri, workspace } from "vscode";
import { orderAndStore, saveImage } from "../../src/images/generateImage.ts";
import { targetIn } from "../../src/images/imageFolder.ts";
import { OneAtATime } from "../../src/text/oneAtATime.ts";
import { testFolder } from "../support/testFolder.ts";
import { at } from "./editing.ts";
import { imagesIn } from "../support/imagesIn.ts";
import { MemoryFiles } from "./memoryFiles.ts";

describe("the image saver, in a virtual workspace", () => {
  const [outside, other, own] = [testFolder(), testFolder(), testFolder()];
  const files = new MemoryFiles();
  const folder = Uri.parse("codex-memory:/images");
  const naming = new OneAtATime();
  const bytes = new Uint8Array([1, 2, 3]);
  const registration = workspace.registerFileSystemProvider("codex-memory", files, { isCaseSensitive: true });
  const save = (prompt: string, target: { folder: string }, type: "png" | "jpeg" | "webp" = "png"): Promise<Uri> =>
    saveImage(naming, { bytes, type }, { id: crypto.randomUUID(), prompt, ...target });

  after(() => {
    registration.dispose();
  });

  it("numbers images that finish together, names files after their bytes, and leaves nothing half", async () => {
    const saved = await Promise.all(Array.from({ length: 20 }, () => save("fox", targetIn(folder))));
    assert.equal(new Set(saved.map(String)).size, 20);
    assert.ok([...files.entries.keys()].every((path) => !path.endsWith(".part")));
    assert.deepEqual(files.entries.get("/images/fox-20.png"), bytes);
    assert.equal((await save("owl", targetIn(folder), "jpeg")).path, "/images/owl.jpg");
    assert.equal((await save("owl", targetIn(folder), "webp")).path, "/images/owl.webp");
  });

  const fullDisks: readonly (readonly [string, string, () => void])[] = [
    ["codex-loud", "says so", () => assert.fail("ENOSPC: no space left on device, write")],
    ["codex-silent", "says nothing, as VS Code's own does", () => undefined],
  ];
  for (const [scheme, what, tell] of fullDisks) {
    it(`reports an image that was not saved, and leaves nothing half, where a full disk ${what}`, async () => {
      const full = new MemoryFiles();
      full.writeFile = ({ path }, content) => {
        full.entries.set(path, content.subarray(0, 1));
        tell();
      };
      const registration = workspace.registerFileSystemProvider(scheme, full, { isCaseSensitive: true });
      try {
        const saving = save("elk", targetIn(Uri.from({ scheme, path: "/images" })));
        await assert.rejects(saving, { name: "UserError", kind: "fileNotSaved" });
        assert.deepEqual([...full.entries.keys()], ["/images"]);
      } finally {
        registration.dispose();
      }
    });
  }

  it("writes nothing through a link that leads out of the workspace, for which nothing is ordered either", async () => {
    const [link, real] = [at("linked-images"), at("real-images")];
    await symlink(outside(), link.fsPath, "junction");
    const never = (): never => assert.fail("Nothing is to be ordered.");
    const gateway = { generateImage: never, downloadImage: never };
    const { signal } = new AbortController();
    try {
      for (const linked of [link, Uri.joinPath(link, "deeper")]) {
        const order = { prompt: "elk", size: undefined, folder: linked };
        const images = imagesIn(own());
        for (const work of [save("elk", targetIn(linked)), orderAndStore({ gateway, images }, order, signal)])
          await assert.rejects(work, { name: "UserError", kind: "folderLinked" });
      }
      assert.deepEqual(await readdir(outside()), []);
      await workspace.fs.createDirectory(real);
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
