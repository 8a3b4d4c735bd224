import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Uri } from "vscode";
import { noticeOf } from "../../src/failures/notices.ts";
import { UserError } from "../../src/failures/userError.ts";
import { saveUsage } from "../../src/usage/page/usagePanel.ts";

describe("exported usage", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "codex-gateway-export-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("says which file could not be written, and offers to try again", async () => {
    await writeFile(join(folder, "file"), "");
    const target = Uri.file(join(folder, "file", "usage.csv"));
    const error = await saveUsage(target, "day").then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof UserError);
    const retry = (): Promise<void> => Promise.resolve();
    const { text, actions } = noticeOf(error, { name: "showUsage", keyGroup: "codex", retry });
    assert.match(text, /^The usage could not be saved as .*usage\.csv: the disk may be full/);
    assert.deepEqual(
      actions.map(({ title }) => title),
      ["Retry", "Show Log"],
    );
  });
});
