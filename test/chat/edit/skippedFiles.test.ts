import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FileChange, Files } from "../../../src/apply/fileChange.ts";
import { EditRecords } from "../../../src/chat/edit/editRecords.ts";

describe("the files of an edit that are skipped", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "codex-gateway-edits-"));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  it("are all of them, however quickly they are skipped", async () => {
    const unused = (): never => assert.fail("Nothing is to be read or written.");
    const files: Files = {
      read: unused,
      save: unused,
      write: unused,
      remove: unused,
      missingFolder: unused,
      removeFolders: unused,
    };
    const records = new EditRecords(folder, files);
    const after = new TextEncoder().encode("new\n");
    const changes: readonly FileChange[] = ["a", "b", "c", "d"].map((name) => ({ uri: `file:///w/${name}`, after }));
    const id = await records.add(changes);
    await Promise.all([0, 1, 2, 3].map((index) => records.setSkipped(id, index, true)));
    assert.deepEqual([...(await records.skippedOf(id))].sort(), [0, 1, 2, 3]);
    await Promise.all([1, 2].map((index) => records.setSkipped(id, index, false)));
    assert.deepEqual([...(await records.skippedOf(id))].sort(), [0, 3]);
  });
});
