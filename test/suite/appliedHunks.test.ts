import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CodeLens, commands, Range, type TextDocument, type TextEditor, Uri, window } from "vscode";
import { UserError } from "../../src/failures/userError.ts";
import { InlineChat } from "../../src/inline/inlineChat.ts";
import { insert, until } from "./editing.ts";
import { inlineServices } from "./inlineServices.ts";
import { MemoryState } from "./memoryState.ts";

const before = ["one", "\ttwo", "three", "four", "five", "six", "seven", "eight"];
/** Changes line 2, removes line 5, and adds a line after the seventh. */
const after = ["one", "\tTWO", "\tTWO again", "three", "four", "six", "seven", "new", "eight"];
const question = { shown: "Change it", prompt: "Change it" };

describe("the hunks of an applied answer in the editor", () => {
  let folder: string;
  let workspaceState: MemoryState;
  let chat: InlineChat;
  let answer: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "hunks-"));
    answer = after.join("\n");
    workspaceState = new MemoryState();
    chat = newChat();
  });

  afterEach(async () => {
    chat.dispose();
    await commands.executeCommand("workbench.action.closeAllEditors");
    await rm(folder, { recursive: true });
  });

  const forms: readonly (readonly [string, string, string, string])[] = [
    ["LF", "\n", "", "\n"],
    ["CRLF, a byte order mark and no final newline", "\r\n", "\ufeff", ""],
  ];
  for (const [name, eol, head, tail] of forms) {
    const bytes = (lines: readonly string[]): string => head + lines.join(eol) + tail;

    it(`are kept and undone by keyboard, and the editor's undo takes back one step after the other: ${name}`, async () => {
      const { document } = await applied("a.txt", bytes(before));
      assert.equal(document.getText(), bytes(after).slice(head.length));
      await commands.executeCommand("cursorTop");
      await chat.act("nextChange");
      assert.equal(cursorLine(), 1);
      await chat.act("keep");
      assert.equal(cursorLine(), 5, "the cursor goes on to the next");
      await chat.act("undo");
      assert.equal(cursorLine(), 8);
      const partly = ["one", "\tTWO", "\tTWO again", "three", "four", "five", "six", "seven", "new", "eight"];
      assert.equal(document.getText(), bytes(partly).slice(head.length));
      assert.deepEqual(await lensesOf(document), ["8 Keep", "8 Undo", "8 Show Diff"]);
      await commands.executeCommand("undo");
      await until(() => document.getText() === bytes(after).slice(head.length));
      assert.equal((await lensesOf(document)).length, 7, "the hunk that was undone is open again");
      await commands.executeCommand("undo");
      await until(() => document.getText() === bytes(before).slice(head.length));
      assert.deepEqual(await lensesOf(document), []);
      await commands.executeCommand("redo");
      await until(() => document.getText() === bytes(after).slice(head.length));
      assert.equal((await lensesOf(document)).length, 10, "all three are open again");
    });

    it(`stay when the file is saved, and give back what was there byte for byte: ${name}`, async () => {
      const { document } = await applied("a.txt", bytes(before));
      await save(document, bytes(after));
      await chat.act("undo", await lensId(document, 5));
      await save(document, bytes(["one", "\tTWO", "\tTWO again", ...before.slice(2, 7), "new", "eight"]));
      await chat.act("keep", await lensId(document, 1));
      await chat.act("undoAll");
      await save(document, bytes(["one", "\tTWO", "\tTWO again", ...before.slice(2)]));
      assert.deepEqual(await lensesOf(document), []);
    });

    it(`are undone together: ${name}`, async () => {
      const { document } = await applied("a.txt", bytes(before));
      await chat.act("undoAll");
      await save(document, bytes(before));
      await commands.executeCommand("redo");
      assert.deepEqual(await lensesOf(document), []);
    });

    it(`remove and restore the last lines: ${name}`, async () => {
      answer = before.slice(0, 6).join("\n");
      const { document } = await applied("a.txt", bytes(before));
      await save(document, bytes(before.slice(0, 6)));
      await chat.act("undoAll");
      await save(document, bytes(before));
    });
  }

  it("have Keep and Undo each, Next where there are several, and Show Diff on the first", async () => {
    const { document } = await applied("a.txt", `${before.join("\n")}\n`);
    assert.deepEqual(await lensesOf(document), [
      ...["1 Keep", "1 Undo", "1 Next", "1 Show Diff"],
      ...["5 Keep", "5 Undo", "5 Next"],
      ...["7 Keep", "7 Undo", "7 Next"],
    ]);
    await chat.act("nextChange", await lensId(document, 7));
    assert.equal(cursorLine(), 1);
    await chat.act("previousChange");
    assert.equal(cursorLine(), 7);
    await chat.act("keepAll");
    assert.deepEqual(await lensesOf(document), []);
    assert.equal(document.getText(), `${after.join("\n")}\n`);
  });

  it("follow what is typed above and inside, and a hunk that was edited is left as it is", async () => {
    const editor = await applied("a.txt", `${before.join("\n")}\n`);
    const { document } = editor;
    await insert(editor, 0, "typed\n");
    await insert(editor, 3, "typed ");
    const text = document.getText();
    await isRejected(chat.act("undo", await lensId(document, 2)));
    await isRejected(chat.act("undoAll"));
    assert.equal(document.getText(), text);
    await chat.act("undo", await lensId(document, 6));
    assert.equal(document.lineAt(6).text, "five");
    await chat.act("keep", await lensId(document, 2));
    assert.equal((await lensesOf(document))[0], "9 Keep");
    await undoInEditor(document);
    assert.equal((await lensesOf(document))[0], "6 Keep", "undone was only the undoing of a hunk");
    assert.equal(document.getText(), text);
  });

  it("lead from one file to the next", async () => {
    const { document: first } = await applied("a.txt", `${before.join("\n")}\n`);
    const { document: second } = await applied("b.txt", `${before.join("\n")}\n`);
    await chat.act("nextChange", await lensId(second, 7));
    assert.equal(window.activeTextEditor?.document, first);
    assert.equal(cursorLine(), 1);
    await chat.act("previousChange");
    assert.equal(window.activeTextEditor.document, second);
  });

  it("are marked again in the next window, where their text still is, and kept and undone as before", async () => {
    const editor = await applied("a.txt", `${before.join("\n")}\n`);
    const { document } = editor;
    chat.close(undefined);
    await insert(editor, 0, "typed\n");
    const lenses = await lensesOf(document);
    restart();
    assert.deepEqual(await lensesOf(document), lenses);
    await chat.act("showDiff", await lensId(document, 2, "Show Diff"));
    await until(() => window.tabGroups.activeTabGroup.activeTab?.label === "a.txt (change by Codex)");
    await commands.executeCommand("workbench.action.closeActiveEditor");
    await chat.act("undo", await lensId(document, 2));
    assert.equal(document.lineAt(2).text, "\ttwo");
    restart();
    await insert(await window.showTextDocument(document), 7, "typed ");
    restart();
    assert.deepEqual(
      await lensesOf(document),
      ["5 Keep", "5 Undo", "5 Show Diff"],
      "of what was edited, the mark is gone",
    );
    await chat.act("undoAll");
    assert.equal(document.lineAt(5).text, "five");
    restart();
    assert.deepEqual(await lensesOf(document), []);
    assert.deepEqual(workspaceState.keys(), []);
  });

  it("take no foreign argument for a hunk", async () => {
    const { document } = await applied("a.txt", `${before.join("\n")}\n`);
    const text = document.getText();
    const foreign: readonly unknown[] = [null, "", 0, {}, [], { id: await lensId(document, 1) }, document.uri, () => 1];
    for (const command of ["keep", "undo", "keepAll", "undoAll", "nextChange", "previousChange"] as const) {
      for (const argument of foreign) await chat.act(command, argument);
    }
    assert.equal(document.getText(), text);
    assert.equal((await lensesOf(document)).length, 10);
  });

  it("show the next one instead when it is unclear which one is meant", async () => {
    const { document } = await applied("a.txt", `${before.join("\n")}\n`);
    await commands.executeCommand("cursorTop");
    await chat.act("undo");
    assert.equal(document.getText(), `${after.join("\n")}\n`);
    assert.equal(cursorLine(), 1);
  });

  function newChat(): InlineChat {
    return new InlineChat(
      inlineServices(
        // eslint-disable-next-line @typescript-eslint/require-await -- It has all there is to say.
        async function* () {
          yield { type: "text", text: `\`\`\`plaintext replace\n${answer}\n\`\`\`` };
          yield { type: "finish", reason: "stop" };
        },
        { workspaceState },
      ),
    );
  }

  /** Begins anew with what is stored, as a window that is reloaded. */
  function restart(): void {
    chat.dispose();
    chat = newChat();
  }

  /** Writes a file, asks about all of its lines and applies the answer. */
  async function applied(name: string, text: string): Promise<TextEditor> {
    const path = join(folder, name);
    await writeFile(path, text);
    const editor = await window.showTextDocument(Uri.file(path), { preview: false });
    const range = new Range(0, 0, before.length - 1, "eight".length);
    await chat.open({ uri: editor.document.uri, range, question });
    await chat.act("apply");
    return editor;
  }

  /** Saves until these are the bytes: VS Code may be saving an earlier state by itself. */
  async function save(document: TextDocument, expected: string): Promise<void> {
    let bytes: string | undefined;
    for (let tries = 0; bytes !== expected && tries < 200; tries++) {
      await document.save();
      bytes = await readFile(document.uri.fsPath, "utf8");
      if (bytes !== expected) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const { isDirty } = document;
    assert.equal(bytes, expected, JSON.stringify({ bytes, expected, isDirty, text: document.getText() }));
  }
});

function cursorLine(): number | undefined {
  return window.activeTextEditor?.selection.active.line;
}

/** The lenses above the hunks of a document, with their lines. */
async function lensesOf(document: TextDocument): Promise<readonly string[]> {
  return (await lenses(document)).map(({ range, command }) => `${range.start.line} ${command?.title}`);
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

async function undoInEditor(document: TextDocument): Promise<void> {
  const { version } = document;
  await commands.executeCommand("undo");
  await until(() => document.version !== version);
}

async function isRejected(action: Promise<void>): Promise<void> {
  await assert.rejects(action, (error) => error instanceof UserError && error.kind === "editChanged");
}
