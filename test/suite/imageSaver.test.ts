import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, symlink, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Uri, workspace } from "vscode";
import { UserError } from "../../src/failures/userError.ts";
import { targetIn } from "../../src/images/storedImages.ts";
import { saveImage } from "../../src/images/imageSaver.ts";
import { OneAtATime } from "../../src/text/oneAtATime.ts";
import { MemoryFiles } from "./memoryFiles.ts";

describe("the image saver, in a virtual workspace", () => {
  const files = new MemoryFiles();
  const folder = Uri.parse("codex-memory:/images");
  const naming = new OneAtATime();
  const bytes = new Uint8Array([1, 2, 3]);
  const registration = workspace.registerFileSystemProvider("codex-memory", files, { isCaseSensitive: true });

  after(() => {
    registration.dispose();
  });

  it("numbers images that finish together, and leaves nothing half", async () => {
    const save = (_: unknown, index: number): Promise<Uri> =>
      saveImage(naming, { bytes, type: "png" }, { id: `id-${index}`, prompt: "fox", ...targetIn(folder) });
    const saved = await Promise.all(Array.from({ length: 20 }, save));
    assert.equal(new Set(saved.map(String)).size, 20);
    assert.deepEqual(
      [...files.entries.keys()].filter((path) => path.endsWith(".part")),
      [],
    );
    assert.deepEqual(files.entries.get("/images/fox-20.png"), bytes);
  });

  it("names a file after its bytes", async () => {
    assert.equal(
      (await saveImage(naming, { bytes, type: "jpeg" }, { id: "a", prompt: "owl", ...targetIn(folder) })).path,
      "/images/owl.jpg",
    );
    assert.equal(
      (await saveImage(naming, { bytes, type: "webp" }, { id: "b", prompt: "owl", ...targetIn(folder) })).path,
      "/images/owl.webp",
    );
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
        const saving = saveImage(
          naming,
          { bytes, type: "png" },
          { id: "c", prompt: "elk", ...targetIn(Uri.from({ scheme, path: "/images" })) },
        );
        await assert.rejects(saving, (error) => error instanceof UserError && error.kind === "fileNotSaved");
        assert.deepEqual([...full.entries.keys()], ["/images"]);
      } finally {
        registration.dispose();
      }
    });
  }

  it("writes nothing through a link that leads out of the workspace", async () => {
    const root = workspace.workspaceFolders?.[0]?.uri;
    assert.ok(root);
    const outside = await mkdtemp(join(tmpdir(), "codex-outside-"));
    const link = Uri.joinPath(root, "linked-images");
    await symlink(outside, link.fsPath, "junction");
    try {
      for (const folder of [link, Uri.joinPath(link, "deeper")]) {
        const saving = saveImage(naming, { bytes, type: "png" }, { id: "d", prompt: "elk", ...targetIn(folder) });
        await assert.rejects(saving, (error) => error instanceof UserError && error.kind === "folderLinked");
      }
      assert.deepEqual(await readdir(outside), []);
      await workspace.fs.createDirectory(Uri.joinPath(root, "real-images"));
      const saved = await saveImage(
        naming,
        { bytes, type: "png" },
        { id: "d", prompt: "elk", ...targetIn(Uri.joinPath(root, "real-images")) },
      );
      assert.deepEqual(new Uint8Array(await workspace.fs.readFile(saved)), bytes);
    } finally {
      await Promise.all([unlink(link.fsPath), rm(outside, { recursive: true })]);
      await workspace.fs.delete(Uri.joinPath(root, "real-images"), { recursive: true });
    }
  });

  it("writes nothing through a link that leads out of another window's workspace", async () => {
    const other = Uri.file(await mkdtemp(join(tmpdir(), "codex-other-")));
    const outside = await mkdtemp(join(tmpdir(), "codex-outside-"));
    await symlink(outside, Uri.joinPath(other, "images").fsPath, "junction");
    const folder = Uri.joinPath(other, "images").toString();
    try {
      const saving = saveImage(
        naming,
        { bytes, type: "png" },
        { id: "e", prompt: "elk", folder, root: other.toString() },
      );
      await assert.rejects(saving, (error) => error instanceof UserError && error.kind === "folderLinked");
      assert.deepEqual(await readdir(outside), []);
    } finally {
      for (const path of [other.fsPath, outside]) await rm(path, { recursive: true });
    }
  });
});
