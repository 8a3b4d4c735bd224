import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commands, Range, type TextEditor, Uri, window } from "vscode";
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
    await writeFile(join(root(), "b.ts"), "one\n");
    threads = new FindingThreads();
    const located = [...placedAt("a.ts", 1, 3), ...placedAt("b.ts", 0)];
    threads.show({ repository: { rootUri: Uri.file(root()) }, located });
  });

  const open = async (path: string, line: number): Promise<TextEditor> =>
    window.showTextDocument(Uri.file(join(root(), path)), { selection: new Range(line, 0, line, 0) });
  const place = (): string => {
    const { document, selection } = window.activeTextEditor ?? {};
    return `${document?.uri.path.split("/").at(-1) ?? ""}:${selection?.active.line ?? ""}`;
  };

  it("are revealed in turn, skipping those that are dismissed or fixed", async () => {
    for (const expected of ["a.ts:1", "a.ts:3", "b.ts:0", "a.ts:1"]) {
      await threads.revealNext(undefined);
      assert.equal(place(), expected);
    }
    await threads.dismiss(threads.of(undefined)?.id);
    assert.equal(place(), "a.ts:3");
    const second = threads.of(undefined);
    assert.ok(second);
    threads.mark(second, "fixed");
    for (const round of [1, 2]) {
      await threads.revealNext(undefined);
      assert.equal(place(), "b.ts:0", String(round));
    }
  });

  it("are found by their id, and follow their lines", async () => {
    const editor = await open("a.ts", 3);
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
});
