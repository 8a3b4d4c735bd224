import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commands, Position, Uri, window, workspace, WorkspaceEdit } from "vscode";
import { FileGate } from "../../src/reading/fileGate.ts";
import { neighbors } from "../../src/completions/neighbors.ts";
import { RecentEdits } from "../../src/completions/recentEdits.ts";

describe("edits of a moment ago", () => {
  it("are told of files in the workspace and of new ones, and of no other, as the user's settings", async () => {
    using cleanup = new DisposableStack();
    const elsewhere = realpathSync(mkdtempSync(join(tmpdir(), "elsewhere-")));
    const [folder] = workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const inside = join(folder.uri.fsPath, "edited.txt");
    cleanup.defer(() => {
      rmSync(elsewhere, { recursive: true });
      rmSync(inside);
    });
    for (const path of [inside, join(elsewhere, "settings.json")]) writeFileSync(path, "old\n");
    const edits = new RecentEdits(new FileGate(() => Promise.resolve(new Set())));
    cleanup.defer(() => {
      edits.dispose();
    });
    const uris = [Uri.file(inside), Uri.file(join(elsewhere, "settings.json"))];
    const untitled = await workspace.openTextDocument({ content: "old\n" });
    for (const uri of [...uris, untitled.uri]) {
      await window.showTextDocument(uri);
      const edit = new WorkspaceEdit();
      edit.insert(uri, new Position(0, 0), "new ");
      await workspace.applyEdit(edit);
    }
    assert.deepEqual(await edits.texts(Uri.file(join(folder.uri.fsPath, "other.txt")), 0), [
      { path: "edited.txt", text: "new old\n" },
      { path: untitled.uri.path, text: "new old\n" },
    ]);
    for (let open = 0; open < 3; open += 1)
      await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("and pieces of open files are told of none that stays closed", async () => {
    using cleanup = new DisposableStack();
    const folder = workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
    const gate = new FileGate((files) =>
      Promise.resolve(new Set(files.filter(({ path }) => path.includes("ignored")))),
    );
    const edits = new RecentEdits(gate);
    cleanup.defer(() => {
      edits.dispose();
    });
    writeFileSync(join(folder, ".env"), "firstName lastName\n");
    symlinkSync(".env", join(folder, "linked.txt"));
    for (const name of ["ignored.txt", "plain.txt"]) writeFileSync(join(folder, name), "firstName lastName\n");
    const names = ["linked.txt", "ignored.txt", "plain.txt"];
    cleanup.defer(() => {
      for (const name of [...names, ".env"]) rmSync(join(folder, name));
    });
    for (const name of names) {
      const uri = Uri.file(join(folder, name));
      await window.showTextDocument(uri, { preview: false });
      const edit = new WorkspaceEdit();
      edit.insert(uri, new Position(0, 0), "new\n");
      await workspace.applyEdit(edit);
    }
    const texts = await edits.texts(Uri.file(join(folder, "other.txt")), 0);
    assert.deepEqual(
      texts.map(({ path }) => path),
      ["plain.txt"],
    );
    const document = await workspace.openTextDocument({ content: "firstName lastName", language: "plaintext" });
    const pieces = await neighbors(gate, document, document.getText());
    assert.deepEqual(
      pieces.map(({ path }) => path),
      ["plain.txt"],
    );
    for (let open = 0; open < 3; open += 1)
      await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });
});
