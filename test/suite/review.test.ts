import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commands, Range, Uri, window } from "vscode";
import { FindingThreads } from "../../src/git/review/findingThreads.ts";
import { testFolder } from "../support/testFolder.ts";
import { insert } from "./editing.ts";
import { until } from "../support/until.ts";
import { placedAt } from "../support/git/findings.ts";

describe("the findings of a review", () => {
  let threads: FindingThreads;

  afterEach(async () => {
    threads.dispose();
    await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });
  const root = testFolder();
  beforeEach(async () => {
    await writeFile(join(root(), "a.ts"), "one\ntwo\nthree\nfour\n");
    threads = new FindingThreads();
    threads.show({ repository: { rootUri: Uri.file(root()) }, located: placedAt("a.ts", 1, 3) });
  });

  it("are found by their id, and follow their lines", async () => {
    const selection = new Range(3, 0, 3, 0);
    const editor = await window.showTextDocument(Uri.file(join(root(), "a.ts")), { selection });
    const thread = threads.of(undefined);
    assert.equal(thread?.lines.start, 3);
    await insert(editor, 0, "zero\nzero\n");
    await until(() => thread.lines.start === 5);
    assert.deepEqual(thread.range, new Range(5, 0, 5, 4));
    assert.equal(threads.of(thread.id), thread);
    assert.equal(threads.of("another"), undefined);
    await threads.dismiss(thread.id);
    threads.mark(thread, "open");
    assert.equal(threads.of(thread.id), undefined);
  });

  it("find their code again after another program has changed the file", async () => {
    const file = Uri.file(join(root(), "a.ts"));
    const located = placedAt("a.ts", 1).map((finding) => ({ ...finding, code: "two" }));
    threads.show({ repository: { rootUri: Uri.file(root()) }, located });
    const { document } = await window.showTextDocument(file);
    await writeFile(file.fsPath, "zero\none\ntwo\nthree\nfour\nfive\n");
    await until(async () => {
      // VS Code may not watch the file yet, and reverts nothing while it reads the file.
      await commands.executeCommand("workbench.action.files.revert");
      return document.getText().startsWith("zero");
    });
    await until(() => threads.of(undefined)?.lines.start === 2);
    assert.deepEqual(threads.of(undefined)?.lines, { start: 2, end: 3 });
  });
});
