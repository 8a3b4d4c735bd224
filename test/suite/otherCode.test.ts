import assert from "node:assert/strict";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commands, Uri, workspace } from "vscode";
import { OtherCode } from "../../src/completions/otherCode.ts";
import { testFolder } from "../support/testFolder.ts";
import { at, gate, secrets, type } from "./editing.ts";

describe("edits of a moment ago", () => {
  let code: OtherCode;

  beforeEach(() => {
    code = new OtherCode({ gate, secrets });
  });
  afterEach(async () => {
    code.dispose();
    for (let open = 0; open < 3; open += 1)
      await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });
  const elsewhere = testFolder();

  it("are those of files in the workspace and of untitled ones, and of no others, such as the user's settings", async () => {
    using cleanup = new DisposableStack();
    const uris = [at("edited.txt"), Uri.file(join(elsewhere(), "settings.json"))];
    cleanup.defer(() => {
      rmSync(at("edited.txt").fsPath);
    });
    for (const { fsPath } of uris) writeFileSync(fsPath, "old\n");
    const untitled = await workspace.openTextDocument({ content: "old\n" });
    for (const uri of [...uris, untitled.uri]) await type(uri, "new ");
    assert.deepEqual(await code.edits(at("other.txt"), 0), [
      { path: "edited.txt", text: "new old\n" },
      { path: untitled.uri.path, text: "new old\n" },
    ]);
  });

  it("and pieces of open files are told of none that stays closed", async () => {
    using cleanup = new DisposableStack();
    const names = ["linked.txt", "ignored.txt", "plain.txt"];
    for (const name of [".env", "ignored.txt", "plain.txt"]) writeFileSync(at(name).fsPath, "firstName lastName\n");
    symlinkSync(".env", at("linked.txt").fsPath);
    cleanup.defer(() => {
      for (const name of [...names, ".env"]) rmSync(at(name).fsPath);
    });
    for (const name of names) await type(at(name), "new\n");
    const texts = await code.edits(at("other.txt"), 0);
    const document = await workspace.openTextDocument({ content: "firstName lastName", language: "plaintext" });
    const pieces = await code.neighbors(document, document.getText());
    for (const found of [texts, pieces]) assert.deepEqual([found.length, found[0]?.path], [1, "plain.txt"]);
  });
});
