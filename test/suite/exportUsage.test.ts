import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Uri } from "vscode";
import { noticeOf } from "../../src/failures/notices.ts";
import { saveUsage } from "../../src/usage/page/usagePanel.ts";

it("exported usage says which file could not be written, and offers to try again", async () => {
  const folder = await mkdtemp(join(tmpdir(), "codex-gateway-export-"));
  await writeFile(join(folder, "file"), "");
  const retry = (): Promise<void> => Promise.resolve();
  await assert.rejects(saveUsage(Uri.file(join(folder, "file", "usage.csv")), "day"), (error) => {
    const { text, actions } = noticeOf(error, { name: "showUsage", keyGroup: "codex", retry });
    assert.match(text, /^The usage could not be saved as .*usage\.csv: the disk may be full/);
    assert.deepEqual([actions[0]?.title, actions[1]?.title], ["Retry", "Show Log"]);
    return true;
  });
  await rm(folder, { recursive: true });
});
