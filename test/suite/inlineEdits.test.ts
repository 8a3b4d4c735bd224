import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commands, DocumentSymbol, languages, Range, Selection, SymbolKind, Uri, window } from "vscode";
import { diffScheme } from "../../src/manifest.ts";
import { at, disposing, insert, open } from "./editing.ts";
import { testFolder } from "../support/testFolder.ts";
import { until } from "../support/until.ts";
import { question, withInlineChat } from "./withInlineChat.ts";

const search = (old: string, text: string): string => `<<<<<<< SEARCH\n${old}\n=======\n${text}\n>>>>>>> REPLACE`;
const replace = (text: string): string => `\`\`\`plaintext replace\n${text}\n\`\`\``;

describe("edits of inline chat", () => {
  const wharf = testFolder(at("").fsPath);
  const local = withInlineChat();

  it("are applied where their lines are after typing, and shown anew where these have changed", async () => {
    const editor = await open("a\nb\nc\nd\ne\n");
    const { document } = editor;
    local.texts = [search("d", "D\nD")];
    await local.ask(document, 0);
    await insert(editor, 0, "x\n");
    await local.chat.act("apply");
    assert.equal(document.getText(), "x\na\nb\nc\nD\nD\ne\n");

    local.texts = [`${search("x", "X")}\n${search("e", "E")}`];
    await local.ask(document, 1);
    await insert(editor, 0, "e");
    await assert.rejects(local.chat.act("apply"), { kind: "codeChanged" });
    assert.equal(document.getText(), "ex\na\nb\nc\nD\nD\ne\n");
  });

  it("are left as they are when the second attempt is stopped, and can be asked for again", async () => {
    const { document } = await open("a\nb\n");
    local.texts = [search("x", "y"), search("a", "A")];
    local.beforeEnd = (signal) => {
      if (local.requests.length === 2) void local.chat.stop(undefined);
      signal.throwIfAborted();
      return Promise.resolve();
    };
    await local.ask(document, 0);
    assert.equal(local.reported.length, 0);
    await local.chat.act("apply");
    assert.equal(document.getText(), "a\nb\n");
    await local.askAgain(document, 0);
    await local.chat.act("apply");
    assert.equal(document.getText(), "A\nb\n");
  });

  for (const mode of ["ask", "automatically"] as const) {
    it(`leave only the cursor of the selection that they were asked about: ${mode}`, async () => {
      const editor = await open("a\nb\nc\n");
      local.apply = mode;
      local.texts = [replace("A\nB")];
      editor.selection = new Selection(1, 1, 0, 0);
      await local.chat.open({ question });
      await local.chat.act("apply");
      assert.equal(editor.document.getText(), "A\nB\nc\n");
      await until(() => editor.selection.isEmpty);
    });
  }

  it("that are applied by themselves leave another selection as it is", async () => {
    const editor = await open("a\nb\nc\nd\n");
    local.apply = "automatically";
    local.texts = [replace("A")];
    const elsewhere = new Selection(2, 0, 3, 1);
    editor.selection = new Selection(0, 0, 0, 1);
    local.beforeEnd = async () => {
      editor.selection = elsewhere;
      await until(() => editor.selection.isEqual(elsewhere));
    };
    await local.chat.open({ question });
    assert.equal(editor.document.getText(), "A\nb\nc\nd\n");
    assert.ok(editor.selection.isEqual(elsewhere));
  });

  it("are known to the question that follows them, where the lines that were selected are a part of a function", async () => {
    const editor = await open("f {\n  a\n  b\n}\n");
    const whole = new Range(0, 0, 3, 1);
    const provideDocumentSymbols = () => [new DocumentSymbol("f", "", SymbolKind.Function, whole, whole)];
    using symbols = disposing(languages.registerDocumentSymbolProvider("plaintext", { provideDocumentSymbols }));
    local.texts = [replace("  A")];
    // As with Ctrl+L.
    editor.selection = new Selection(1, 0, 2, 0);
    await local.chat.open({ question });
    await local.chat.act("apply");
    await until(() => editor.selection.isEmpty);
    await local.chat.open({ question });
    assert.match(local.asked(), /^I applied the change[^]*about line 2:\n\n```\w+\n {2}A\n```/m);
  });

  it("are applied by themselves one after the other, when two answers are complete at once", async () => {
    const { document } = await open("a\nb\nc\n");
    const ending = Promise.withResolvers<undefined>();
    local.apply = "automatically";
    local.texts = [replace("A"), replace("C")];
    local.beforeEnd = () => ending.promise;
    const first = local.ask(document, 0);
    await until(() => local.requests.length === 1);
    const second = local.ask(document, 2);
    await until(() => local.requests.length === 2);
    ending.resolve(undefined);
    await Promise.all([first, second]);
    assert.equal(document.getText(), "A\nb\nC\n");
  });

  it("are not applied by themselves when the code has changed, a part has no place, or the block has no mark", async () => {
    local.apply = "automatically";
    const editor = await open("a\nb\n");
    local.texts = [replace("A")];
    local.beforeEnd = async () => {
      await insert(editor, 0, "x");
    };
    await local.ask(editor.document, 0);
    assert.equal(editor.document.getText(), "xa\nb\n");
    local.beforeEnd = () => Promise.resolve();
    const other = "*** Begin Patch\n*** Add File: src/b.ts\n+b\n*** End Patch";
    for (const text of [`${replace("A")}\n\n${other}`, `${replace("A")}\n${search("q", "z")}`, "```ts\nA\n```"]) {
      local.texts = [text];
      await local.ask(editor.document, 0);
      assert.equal(editor.document.getText(), "xa\nb\n", text);
    }
  });

  it("are not applied by themselves to a file that can run code without being started", async () => {
    const path = join(wharf(), "pier.config.js");
    await writeFile(path, "a\nb\n");
    const { document } = await window.showTextDocument(Uri.file(path));
    local.apply = "automatically";
    local.texts = [replace("A")];
    await local.ask(document, 0);
    assert.equal(document.getText(), "a\nb\n");
    await local.chat.act("apply");
    assert.equal(document.getText(), "A\nb\n");
  });

  it("tell the model which parts of its last change were kept", async () => {
    const { document } = await open("a\nb\nc\nd\ne\n");
    local.texts = [`${search("a", "A")}\n${search("e", "E")}`];
    await local.ask(document, 0);
    await local.chat.act("apply");
    await local.chat.act("keep");
    await local.chat.act("undo");
    assert.equal(document.getText(), "A\nb\nc\nd\ne\n");
    local.texts = ["Nothing is to be changed."];
    await local.ask(document, 0);
    const outcome = /^What I did with .*:\n- kept: the change at line 1 .*\n- undone: the change at line 5 /m;
    assert.match(local.asked(), outcome);
  });

  it("are shown before they are applied when the thread cannot show them as a whole", async () => {
    const long = "x".repeat(110_000);
    const { document } = await open(`${long}\nb\n`);
    // Another one than that of the diff by its name.
    await languages.setTextDocumentLanguage(document, "javascript");
    local.texts = [replace("short")];
    await local.ask(document, 0);
    await local.chat.act("apply");
    assert.equal(document.lineAt(0).text, long);
    await until(() => window.visibleTextEditors.some((editor) => editor.document.uri.scheme === diffScheme));
    await local.chat.act("apply");
    assert.equal(document.getText(), "short\nb\n");
    await commands.executeCommand("workbench.action.closeActiveEditor");
  });
});
