import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commands, Range, Selection, type TextDocument, Uri, window, workspace, WorkspaceEdit } from "vscode";
import { testFolder } from "../support/testFolder.ts";
import { at, insert, open } from "./editing.ts";
import { until } from "../support/until.ts";
import { question, withInlineChat } from "./withInlineChat.ts";

const change = "```plaintext replace\nB\n```";

describe("a conversation of inline chat", () => {
  const local = withInlineChat(change);
  const wharf = testFolder(at("").fsPath);
  const inputs = (): readonly TextDocument[] => workspace.textDocuments.filter(({ uri }) => uri.scheme === "comment");

  afterEach(async () => {
    await commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("goes on while another file takes the place of its own in a preview tab, and is there when that comes back", async () => {
    const [own, other] = [await file("a.txt"), await file("b.txt")];
    const first = await preview(own);
    local.beforeEnd = async (signal) => {
      await preview(other);
      await until(() => first.isClosed);
      signal.throwIfAborted();
    };
    await local.ask(first);
    assert.deepEqual([local.requests.length, local.reported.length, first.isClosed], [1, 0, true]);
    await writeFile(own.fsPath, "new\na\nb\n");
    const again = await preview(own);
    await until(() => again.getText() === "new\na\nb\n");
    local.beforeEnd = () => Promise.resolve();
    await local.chat.act("apply");
    assert.equal(again.getText(), "new\na\nB\n");
    await commands.executeCommand("workbench.action.files.revert");
  });

  it("is not about lines any more that the user has selected, once these are gone when its file comes back", async () => {
    const [own, other] = [await file("ignored.txt"), await file("b.txt")];
    await preview(own);
    const editor = window.activeTextEditor;
    assert.ok(editor);
    editor.selection = new Selection(1, 0, 1, 1);
    await local.chat.open({ question });
    await preview(other);
    await until(() => editor.document.isClosed);
    await writeFile(own.fsPath, "secret\nlines\n");
    await preview(own);
    await until(() => window.activeTextEditor?.document.getText() === "secret\nlines\n");
    await assert.doesNotReject(local.chat.act("askAgain"));
    assert.equal(local.requests.length, 1);
  });

  it("goes on in its file when that is renamed, alone or with its folder", async () => {
    const own = await file("a.txt");
    await local.ask(await preview(own));
    let now = own;
    for (const name of ["c.txt", "folder/c.txt", "other/c.txt"]) {
      const to = Uri.file(join(wharf(), name));
      const [from, into] = name.startsWith("other") ? [now, to].map((uri) => Uri.joinPath(uri, "..")) : [now, to];
      const edit = new WorkspaceEdit();
      if (from && into) edit.renameFile(from, into);
      assert.ok(await workspace.applyEdit(edit));
      now = to;
    }
    const document = await preview(now);
    await local.chat.act("apply");
    assert.equal(document.getText(), "a\nB\n");
    await commands.executeCommand("workbench.action.files.revert");
  });

  it("keeps what is typed when Inline Chat is called again, from the code or from the input", async () => {
    const editor = await open("a\nb\n");
    editor.selection = new Selection(1, 0, 1, 0);
    const target = { uri: editor.document.uri, range: new Range(1, 0, 1, 1) };
    await local.chat.open(target);
    await until(() => window.activeTextEditor?.document.uri.scheme === "comment");
    await commands.executeCommand("default:type", { text: "Why" });
    for (const again of [target, {}]) {
      const before = inputs().find((input) => input.getText() === "Why");
      assert.ok(before);
      await local.chat.open(again);
      await until(() => before.isClosed && inputs().some((input) => input.getText() === "Why"));
    }
    await local.chat.cancel(undefined);
    await until(() => inputs().every((input) => input.getText() !== "Why"));
  });

  it("applies its change once it is complete when the key is pressed before that, however often", async () => {
    const { document } = await open("a\nb\n");
    let applied: readonly Promise<void>[] = [];
    local.beforeEnd = () => {
      applied = [local.chat.act("apply"), local.chat.act("apply")];
      return Promise.resolve();
    };
    await local.ask(document);
    await Promise.all(applied);
    assert.equal(document.getText(), "a\nB\n");
    await commands.executeCommand("undo");
    await until(() => document.getText() === "a\nb\n");
  });

  it("is changed once by a button that is clicked twice, and changed back once", async () => {
    const block = "```plaintext\nB\n```";
    for (const [command, text, before, after] of [
      ["apply", change, "a\nb\n", "a\nB\n"],
      ["insertBelow", block, "a\nb\n", "a\nb\n\nB\n"],
      // At the end of the file.
      ["insertBelow", block, "a\n", "a\n\nB\n"],
    ] as const) {
      local.texts = [text];
      const { document } = await open(before);
      await local.ask(document);
      await Promise.all([local.chat.act(command), local.chat.act(command)]);
      assert.equal(document.getText(), after);
      await Promise.all([local.chat.act("undoAll"), local.chat.act("undoAll")]);
      assert.equal(document.getText(), before);
      await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    }
  });

  it("begins an empty file without a blank line", async () => {
    local.texts = ["```plaintext\n#!/bin/sh\n```"];
    const { document } = await open("");
    await local.ask(document, 0);
    await local.chat.act("insertBelow");
    assert.equal(document.getText(), "#!/bin/sh\n");
    await local.chat.act("undoAll");
    assert.equal(document.getText(), "");
  });

  it("can be applied once what was typed before it was complete is taken back", async () => {
    const editor = await open("a\nb\n");
    local.beforeEnd = () => insert(editor, 1, "\n");
    local.texts = ["```plaintext replace\na\nB\n```"];
    await local.chat.open({ uri: editor.document.uri, range: new Range(0, 0, 1, 1), question });
    assert.equal(local.requests.length, 1);
    await assert.rejects(local.chat.act("apply"), { kind: "codeChanged" });
    await commands.executeCommand("undo");
    await until(() => editor.document.getText() === "a\nb\n");
    await local.chat.act("apply");
    assert.equal(editor.document.getText(), "a\nB\n");
  });

  async function file(name: string): Promise<Uri> {
    const path = join(wharf(), name);
    await writeFile(path, "a\nb\n");
    return Uri.file(path);
  }

  async function preview(uri: Uri): Promise<TextDocument> {
    // A document that the API opens stays open for minutes (`BoundModelReferenceCollection`, VS Code 1.139.1).
    await commands.executeCommand("vscode.open", uri, { preview: true });
    await until(() => window.activeTextEditor?.document.uri.toString() === uri.toString());
    const [document] = workspace.textDocuments.filter((one) => one.uri.toString() === uri.toString());
    assert.ok(document);
    return document;
  }
});
