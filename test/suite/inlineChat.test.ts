import assert from "node:assert/strict";
import {
  commands,
  env,
  Range,
  Selection,
  TabInputText,
  TabInputTextDiff,
  type TextDocument,
  type TextEditor,
  Uri,
  window,
  workspace,
} from "vscode";
import { GatewayError } from "../../src/gateway/errors.ts";
import { diffScheme } from "../../src/manifest.ts";
import { insert, open } from "./editing.ts";
import { until } from "../support/until.ts";
import { MemoryFiles } from "./memoryFiles.ts";
import { question, withInlineChat } from "./withInlineChat.ts";

const change = "```plaintext replace\nB\n```";

describe("inline chat in the extension host", () => {
  const local = withInlineChat(change);

  it("applies a change where the code is after what was typed while the keyboard went back", async () => {
    const { document } = await asked();
    const typing = commands.executeCommand("default:type", { text: "x\n" });
    await Promise.all([typing, local.chat.act("apply")]);
    assert.equal(document.getText(), "x\na\nB\n");
  });

  it("changes, copies and sends nothing without a button while another file is in front, and shows the place instead", async () => {
    const { document } = await asked();
    await env.clipboard.writeText("mine");
    const actions = ["apply", "insertBelow", "askAgain", "undo", "keep", "copy", "showDiff"] as const;
    const { document: inFront } = await open("in front");
    for (const action of actions) {
      await window.showTextDocument(inFront);
      await local.chat.act(action);
      assert.equal(window.activeTextEditor?.document, document, action);
      assert.ok(window.tabGroups.activeTabGroup.activeTab?.input instanceof TabInputText, action);
      assert.equal(await env.clipboard.readText(), "mine", action);
      assert.equal(document.getText(), "a\nb\n", action);
      assert.equal(local.requests.length, 1, action);
    }
    await local.chat.act("copy");
    assert.equal(await env.clipboard.readText(), "B");
    await local.chat.act("apply");
    assert.equal(document.getText(), "a\nB\n");
  });

  it("changes nothing without a button where the lines are out of sight, and shows them instead", async () => {
    const editor = await asked(`a\nb\n${"c\n".repeat(2_000)}`);
    const isSeen = (line: number): boolean =>
      editor.visibleRanges.some(({ start, end }) => start.line <= line && line <= end.line);
    await until(() => {
      // The thread may only now be scrolled into view.
      editor.revealRange(new Range(1_900, 0, 1_900, 0));
      return isSeen(1_900) && !isSeen(1);
    });
    await local.chat.act("apply");
    assert.equal(editor.document.lineAt(1).text, "b");
    await until(() => isSeen(1));
    await local.chat.act("apply");
    assert.equal(editor.document.lineAt(1).text, "B");
  });

  it("applies from the diff that shows the change, and shows another one anew before it applies that", async () => {
    const { document } = await asked();
    await local.chat.act("showDiff");
    await until(() => proposal() === "a\nB\n");
    local.texts = ["```plaintext replace\nC\n```"];
    await local.askAgain(document);
    await local.chat.act("apply");
    assert.equal(document.getText(), "a\nb\n");
    await until(() => proposal() === "a\nC\n");
    await local.chat.act("apply");
    assert.equal(document.getText(), "a\nC\n");
    await commands.executeCommand("workbench.action.closeActiveEditor");
  });

  it("undoes without a button from the diff that shows what was applied, whichever side is in front", async () => {
    const { document } = await asked();
    await local.chat.act("apply");
    await local.chat.act("showDiff");
    await until(() => proposal() !== undefined);
    const before = workspace.textDocuments.filter(({ uri }) => uri.scheme === diffScheme);
    assert.ok(before.some((shown) => shown.getText() === "a\nb\n"));
    await commands.executeCommand("workbench.action.compareEditor.focusSecondarySide");
    await until(() => window.activeTextEditor?.document !== document);
    await local.chat.act("undo");
    assert.equal(document.getText(), "a\nb\n");
    await commands.executeCommand("workbench.action.closeActiveEditor");
  });

  it("keeps what was selected and said before when a failed question is retried after its thread was closed", async () => {
    const editor = await open("a\nlet b\n");
    const target = { uri: editor.document.uri, range: new Range(1, 4, 1, 5) };
    await local.chat.open({ ...target, question });
    local.failure = new GatewayError("overloaded", "");
    await local.chat.open({ ...target, question: { shown: "More", prompt: "More" } });
    local.chat.close(undefined);
    await insert(editor, 0, "x\n");
    local.failure = undefined;
    await local.reported[0]?.retry?.();
    assert.equal(local.requests[2]?.messages[1]?.content, "Change it");
    assert.match(local.asked(), /about line 3:[^]*the following is selected:\n```plaintext\nb\n```\n\nMore$/);
    await local.chat.act("apply");
    assert.equal(editor.document.getText(), "x\na\nB\n");
  });

  it("acts without a button on the conversation used last, where several are about the line of the cursor", async () => {
    const editor = await open("a\nb\nc\n");
    local.texts = ["It is so.", "```plaintext replace\nA\nB\nC\n```"];
    await local.ask(editor.document);
    editor.selection = new Selection(0, 0, 2, 1);
    await local.chat.open({ question });
    editor.selection = new Selection(1, 0, 1, 0);
    await local.chat.act("apply");
    assert.equal(editor.document.getText(), "A\nB\nC\n");
  });

  it("acts without a button on the conversation about what is selected, not on one about the line below", async () => {
    const editor = await open("a\nb\nc\n");
    local.texts = ["It is so.", change];
    await local.ask(editor.document, 2);
    // As with Ctrl+L.
    editor.selection = new Selection(1, 0, 2, 0);
    await local.chat.open({ question });
    await local.chat.act("apply");
    assert.equal(editor.document.getText(), "a\nB\nc\n");
  });

  it("changes a file of a virtual file system, puts back what stood there, and leaves a read-only one", async () => {
    const files = new MemoryFiles();
    files.entries.set("/a.txt", Buffer.from("a\r\nb"));
    const shown = async (scheme: string): Promise<TextDocument> =>
      (await window.showTextDocument(Uri.parse(`${scheme}:/a.txt`))).document;
    using cleanup = new DisposableStack();
    for (const [scheme, isReadonly] of Object.entries({ "inline-memory": false, "inline-read-only": true })) {
      cleanup.adopt(workspace.registerFileSystemProvider(scheme, files, { isReadonly }), (one) => void one.dispose());
    }
    const document = await shown("inline-memory");
    await local.ask(document);
    for (const action of ["apply", "undo"] as const) {
      await local.chat.act(action);
      await document.save();
      assert.equal(String(files.entries.get("/a.txt")), action === "apply" ? "a\r\nB" : "a\r\nb");
    }
    await local.ask(await shown("inline-read-only"));
    assert.match(local.requests[1]?.messages[0]?.content ?? "", /cannot be changed/);
  });

  it("is refused in a file with so many lines that comparing them would stop the editor", async () => {
    await assert.rejects(asked("\n".repeat(100_000)), { kind: "tooManyLines" });
    assert.equal(local.requests.length, 0);
  });

  /** Opens a new document and asks about its second line. */
  async function asked(content = "a\nb\n"): Promise<TextEditor> {
    const editor = await open(content);
    await local.ask(editor.document);
    return editor;
  }
});

/** What a diff shows beside the document. */
function proposal(): string | undefined {
  const shown = window.tabGroups.activeTabGroup.activeTab?.input;
  if (!(shown instanceof TabInputTextDiff)) return undefined;
  const modified = window.visibleTextEditors.find(
    ({ document }) => document.uri.toString() === shown.modified.toString(),
  );
  return modified?.document.getText();
}
