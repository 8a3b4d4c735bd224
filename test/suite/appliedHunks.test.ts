import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type CodeLens,
  commands,
  Range,
  Selection,
  type TextDocument,
  type TextEditor,
  Uri,
  window,
  workspace,
  WorkspaceEdit,
} from "vscode";
import { testFolder } from "../support/testFolder.ts";
import { insert } from "./editing.ts";
import { until } from "../support/until.ts";
import { isInView } from "../../src/ui/editors.ts";
import { question, withInlineChat } from "./withInlineChat.ts";

const before = ["one", "\ttwo", "three", "four", "five", "six", "seven", "eight"];
/** Changes line 2, removes line 5, and adds a line after the seventh. */
const after = ["one", "\tTWO", "\tTWO again", "three", "four", "six", "seven", "new", "eight"];

const replaced = (lines: readonly string[]): string => `\`\`\`plaintext replace\n${lines.join("\n")}\n\`\`\``;

describe("the hunks of an applied answer in the editor", () => {
  const local = withInlineChat(replaced(after));

  afterEach(() => commands.executeCommand("workbench.action.closeAllEditors"));
  const folder = testFolder();

  const text = (lines: readonly string[]): string => `${lines.join("\n")}\n`;

  it("are kept and undone by keyboard, and the editor's undo takes back one step after the other", async () => {
    const { document } = await applied();
    await commands.executeCommand("cursorTop");
    await local.chat.act("nextChange");
    await local.chat.act("keep");
    assert.equal(cursorLine(), 5, "the cursor goes on to the next");
    await local.chat.act("undo");
    assert.equal(cursorLine(), 8);
    assert.deepEqual(await lensesOf(document), ["8 Keep", "8 Undo", "8 Show Diff"]);
    await commands.executeCommand("undo");
    await until(() => document.getText() === text(after));
    assert.deepEqual(await hunksOf(document), [5, 7], "the hunk that was undone is open again");
    await commands.executeCommand("undo");
    await until(() => document.getText() === text(before));
    assert.deepEqual(await lensesOf(document), []);
    await commands.executeCommand("redo");
    await until(() => document.getText() === text(after));
    assert.deepEqual(await hunksOf(document), [5, 7], "both that were not kept are open again");
  });

  it("have Keep and Undo each, Next where there are several, and Show Diff on the first, and take no foreign argument", async () => {
    const editor = await applied();
    const { document } = editor;
    const foreign: readonly unknown[] = [null, "", 0, {}, [], { id: await lensId(document, 1) }, document.uri, () => 1];
    for (const command of ["keep", "undo", "undoAll", "nextChange"] as const)
      for (const argument of foreign) await local.chat.act(command, argument);
    assert.deepEqual(await lensesOf(document), [
      ...["1 Keep", "1 Undo", "1 Next", "1 Show Diff"],
      ...["5 Keep", "5 Undo", "5 Next"],
      ...["7 Keep", "7 Undo", "7 Next"],
    ]);
    await commands.executeCommand("cursorTop");
    await local.chat.act("undo");
    assert.equal(cursorLine(), 1, "the next one is shown where it is unclear which one is meant");
    await local.chat.act("nextChange", await lensId(document, 7));
    assert.equal(cursorLine(), 1);
    await local.chat.act("previousChange");
    assert.equal(cursorLine(), 7);
    editor.selection = new Selection(3, 0, 3, 0);
    await local.chat.act("nextChange");
    assert.equal(cursorLine(), 5);
    await local.chat.act("keepAll");
    assert.deepEqual(await lensesOf(document), []);
    assert.equal(document.getText(), text(after));
  });

  it("follow what is typed above and inside; one that was edited has no marks until that is undone", async () => {
    const editor = await applied();
    const { document } = editor;
    const edited = await lensId(document, 1);
    await insert(editor, 0, "typed\n");
    await insert(editor, 3, "typed ");
    const text = document.getText();
    assert.equal((await lensesOf(document))[0], "6 Keep");
    await assert.rejects(local.chat.act("undo", edited), { name: "UserError", kind: "editChanged" });
    assert.equal(document.getText(), text);
    await local.chat.act("undo", await lensId(document, 6));
    assert.equal(document.lineAt(6).text, "five");
    await commands.executeCommand("undo");
    await until(() => document.getText() === text);
    assert.equal((await lensesOf(document))[0], "6 Keep", "undone was only the undoing of a hunk");
    await commands.executeCommand("undo");
    await until(() => document.lineAt(3).text === "\tTWO again");
    assert.equal((await lensesOf(document))[0], "2 Keep");
    await insert(editor, 3, "typed ");
    await assert.rejects(local.chat.act("undoAll"), { name: "UserError", kind: "editChanged" });
    assert.deepEqual(document.getText().split("\n").slice(3), ["typed \tTWO again", ...before.slice(2), ""]);
  });

  it("are where they belong after a formatter, a reload from disk, a closed editor, a rename, and a new window", async () => {
    const { document } = await applied();
    // VS Code may be saving an earlier state by itself.
    await until(async () => (await document.save()) && (await readFile(document.uri.fsPath, "utf8")) === text(after));
    const formatted = ["typed", ...after.map((line) => line.replace("\t", "    ")), "more"];
    await writeFile(document.uri.fsPath, `${formatted.join("\n")}\n`);
    await until(() => document.lineCount === formatted.length + 1);
    const lines = [2, 6, 8];
    assert.deepEqual(await hunksOf(document), lines);
    await commands.executeCommand("workbench.action.closeAllEditors");
    const moved = Uri.file(join(folder(), "moved.txt"));
    const rename = new WorkspaceEdit();
    rename.renameFile(document.uri, moved);
    assert.ok(await workspace.applyEdit(rename));
    const { document: again } = await window.showTextDocument(moved);
    await until(() => local.edits.openIn(again).length > 0);
    assert.deepEqual(await hunksOf(again), lines);
    await local.restart();
    await local.chat.act("undo", await lensId(again, 6));
    await local.chat.act("undo", await lensId(again, 2));
    assert.deepEqual(again.getText().split("\n"), ["typed", ...before.slice(0, 7), "new", "eight", "more", ""]);
  });

  it("are marked once after their answer was undone and applied again", async () => {
    const { document } = await applied("twice.txt");
    await local.chat.act("undoAll");
    assert.deepEqual(await lensesOf(document), []);
    await local.chat.act("apply");
    assert.equal((await lensesOf(document)).length, 10);
  });

  it("lead from one file to the next", async () => {
    const { document: first } = await applied();
    const { document: second } = await applied("b.txt");
    await local.chat.act("nextChange", await lensId(second, 7));
    assert.equal(window.activeTextEditor?.document, first);
    assert.equal(cursorLine(), 1);
    await local.chat.act("previousChange");
    assert.equal(window.activeTextEditor.document, second);
  });

  it("are marked again in the next window, where their text still is, and kept and undone as before", async () => {
    const editor = await applied();
    const { document } = editor;
    local.chat.close(undefined);
    await insert(editor, 0, "typed\n");
    const lenses = await lensesOf(document);
    await local.restart();
    assert.deepEqual(await lensesOf(document), lenses);
    await local.chat.act("showDiff", await lensId(document, 2, "Show Diff"));
    await until(() => window.tabGroups.activeTabGroup.activeTab?.label === "a.txt (change by Codex)");
    await commands.executeCommand("workbench.action.closeActiveEditor");
    await local.chat.act("undo", await lensId(document, 2));
    assert.equal(document.lineAt(2).text, "\ttwo");
    await local.restart();
    await insert(await window.showTextDocument(document), 7, "typed ");
    await local.restart();
    // Of what was edited, the mark is gone.
    assert.deepEqual(await lensesOf(document), ["5 Keep", "5 Undo", "5 Show Diff"]);
    // Without an argument, what is not in view is only shown.
    await until(() => isInView({ document, lines: { start: 5, end: 6 } }));
    await local.chat.act("undoAll");
    assert.equal(document.lineAt(5).text, "five");
    await local.restart();
    assert.deepEqual(await lensesOf(document), []);
  });

  /** Writes a file, asks about all of its lines and applies the answer. */
  async function applied(name = "a.txt"): Promise<TextEditor> {
    const path = join(folder(), name);
    await writeFile(path, text(before));
    const editor = await window.showTextDocument(Uri.file(path), { preview: false });
    const range = new Range(0, 0, before.length - 1, "eight".length);
    await local.chat.open({ uri: editor.document.uri, range, question });
    await local.chat.act("apply");
    return editor;
  }
});

function cursorLine(): number | undefined {
  return window.activeTextEditor?.selection.active.line;
}

/** The lenses above the hunks of a document, with their lines. */
async function lensesOf(document: TextDocument): Promise<readonly string[]> {
  return (await lenses(document)).map(({ range, command }) => `${range.start.line} ${command?.title}`);
}

/** The lines of the hunks of a document that can be kept. */
async function hunksOf(document: TextDocument): Promise<readonly number[]> {
  const keeps = (await lenses(document)).filter(({ command }) => command?.title === "Keep");
  return keeps.map(({ range }) => range.start.line);
}

/** The id of the hunk at a line, as its lens passes it. */
async function lensId(document: TextDocument, line: number, title = "Keep"): Promise<unknown> {
  const lens = (await lenses(document)).find(
    ({ range, command }) => range.start.line === line && command?.title === title,
  );
  assert.ok(lens, `There is no hunk at line ${line}.`);
  return lens.command?.arguments?.[0];
}

async function lenses(document: TextDocument): Promise<readonly CodeLens[]> {
  const all = await commands.executeCommand<CodeLens[]>("vscode.executeCodeLensProvider", document.uri);
  return all.filter(({ command }) => command?.command.startsWith("codexGateway."));
}
