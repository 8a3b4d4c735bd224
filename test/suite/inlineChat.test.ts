import assert from "node:assert/strict";
import {
  type CodeLens,
  commands,
  Diagnostic,
  DiagnosticSeverity,
  env,
  languages,
  Range,
  TabInputText,
  TabInputTextDiff,
  Uri,
  window,
  workspace,
} from "vscode";
import type { FailedAction } from "../../src/failures/notice.ts";
import { GatewayError } from "../../src/gateway/errors.ts";
import type { AnswerPart, ChatRequest } from "../../src/gateway/types.ts";
import { Answer } from "../../src/inline/answer/answer.ts";
import { InlineChat } from "../../src/inline/inlineChat.ts";
import { InputComment, questionComment, StatusLine } from "../../src/inline/thread/threadComments.ts";
import { diffScheme } from "../../src/manifest.ts";
import { MemoryFiles } from "./memoryFiles.ts";
import { insert, open, until } from "./editing.ts";
import { inlineServices } from "./inlineServices.ts";

const change = "```plaintext replace\nB\n```";
const question = { shown: "Shout", prompt: "Shout" };

describe("inline chat in the extension host", () => {
  const requests: ChatRequest[] = [];
  const reported: FailedAction[] = [];
  let failure: GatewayError | undefined;
  let text = change;
  let chat: InlineChat;

  beforeEach(() => {
    requests.length = 0;
    reported.length = 0;
    failure = undefined;
    text = change;
    chat = new InlineChat(
      inlineServices(answer, {
        notifier: {
          report: (_, operation) => {
            reported.push(operation);
            return { text: "It failed.", actions: [] };
          },
        },
      }),
    );
  });

  afterEach(async () => {
    chat.dispose();
    await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("applies a change where the code is after what was typed while the keyboard went back", async () => {
    const { document } = await open("a\nb\n");
    await chat.open({ uri: document.uri, range: new Range(1, 0, 1, 1), question });
    const typing = commands.executeCommand("default:type", { text: "x\n" });
    await Promise.all([typing, chat.act("apply")]);
    assert.equal(document.getText(), "x\na\nB\n");
  });

  it("changes, copies and sends nothing without a button while another file is in front, and shows the place instead", async () => {
    const { document } = await open("a\nb\n");
    await chat.open({ uri: document.uri, range: new Range(1, 0, 1, 1), question });
    await env.clipboard.writeText("mine");
    const actions = ["apply", "insertBelow", "askAgain", "undo", "keep", "copy", "showDiff"] as const;
    for (const action of actions) {
      await open("in front");
      await chat.act(action);
      assert.equal(window.activeTextEditor?.document, document, action);
      assert.ok(window.tabGroups.activeTabGroup.activeTab?.input instanceof TabInputText, action);
      assert.equal(await env.clipboard.readText(), "mine", action);
      assert.equal(document.getText(), "a\nb\n", action);
      assert.equal(requests.length, 1, action);
    }
    await chat.act("apply");
    assert.equal(document.getText(), "a\nB\n");
  });

  it("changes nothing without a button where the lines are out of sight, and shows them instead", async () => {
    const editor = await open(`a\nb\n${"c\n".repeat(2_000)}`);
    const { document } = editor;
    await chat.open({ uri: document.uri, range: new Range(1, 0, 1, 1), question });
    const isSeen = (line: number): boolean =>
      editor.visibleRanges.some(({ start, end }) => start.line <= line && line <= end.line);
    editor.revealRange(new Range(1_900, 0, 1_900, 0));
    await until(() => isSeen(1_900) && !isSeen(1));
    await chat.act("apply");
    assert.equal(document.lineAt(1).text, "b");
    await until(() => isSeen(1));
    await chat.act("apply");
    assert.equal(document.lineAt(1).text, "B");
  });

  it("applies without a button from the diff that shows the change", async () => {
    const { document } = await open("a\nb\n");
    await chat.open({ uri: document.uri, range: new Range(1, 0, 1, 1), question });
    await chat.act("showDiff");
    await until(() => window.visibleTextEditors.some((editor) => editor.document === document));
    await chat.act("apply");
    assert.equal(document.getText(), "a\nB\n");
    await commands.executeCommand("workbench.action.closeActiveEditor");
  });

  it("shows the diff anew where it is not what would be applied, and applies only then", async () => {
    const { document } = await open("a\nb\n");
    await chat.open({ uri: document.uri, range: new Range(1, 0, 1, 1), question });
    await chat.act("showDiff");
    await until(() => proposal() === "a\nB\n");
    text = "```plaintext replace\nC\n```";
    await chat.act("askAgain");
    await chat.act("apply");
    assert.equal(document.getText(), "a\nb\n");
    await until(() => proposal() === "a\nC\n");
    await chat.act("apply");
    assert.equal(document.getText(), "a\nC\n");
    await commands.executeCommand("workbench.action.closeActiveEditor");
  });

  it("undoes without a button from the diff that shows what was applied, whichever side is in front", async () => {
    const { document } = await open("a\nb\n");
    await chat.open({ uri: document.uri, range: new Range(1, 0, 1, 1), question });
    await chat.act("apply");
    await chat.act("showDiff");
    await until(() => window.tabGroups.activeTabGroup.activeTab?.input instanceof TabInputTextDiff);
    const before = workspace.textDocuments.filter(({ uri }) => uri.scheme === diffScheme);
    assert.ok(before.some((shown) => shown.getText() === "a\nb\n"));
    await commands.executeCommand("workbench.action.compareEditor.focusSecondarySide");
    await until(() => window.activeTextEditor?.document !== document);
    await chat.act("undo");
    assert.equal(document.getText(), "a\nb\n");
    await commands.executeCommand("workbench.action.closeActiveEditor");
  });

  it("undoes from above the code after the thread was closed", async () => {
    const { document } = await open("a\nb\n");
    await chat.open({ uri: document.uri, range: new Range(1, 0, 1, 1), question });
    await chat.act("apply");
    chat.close(undefined);
    const lenses = await commands.executeCommand<CodeLens[]>("vscode.executeCodeLensProvider", document.uri);
    const undo = lenses.find(({ command }) => command?.command === "codexGateway.inlineChat.undo")?.command;
    assert.ok(undo);
    await chat.act("undo", undo.arguments?.[0]);
    assert.equal(document.getText(), "a\nb\n");
  });

  it("copies an answer as it is shown", async () => {
    const { document } = await open("a\nb\n");
    text = "Look:\u202e `b`";
    await chat.open({ uri: document.uri, range: new Range(1, 0, 1, 1), question });
    await chat.act("copy");
    assert.equal(await env.clipboard.readText(), "Look:⟨U+202E⟩ `b`");
  });

  it("tells the model of the most severe problems first", async () => {
    const { document } = await open("a\nb\n");
    const problems = languages.createDiagnosticCollection();
    try {
      const range = new Range(1, 0, 1, 1);
      const hints = Array.from({ length: 40 }, () => new Diagnostic(range, "hint", DiagnosticSeverity.Hint));
      problems.set(document.uri, [...hints, new Diagnostic(range, "it is\nwrong", DiagnosticSeverity.Error)]);
      await chat.open({ uri: document.uri, range, question });
      assert.match(
        requests[0]?.messages[1]?.content ?? "",
        /Problems .*:\n- line 2, error: it is wrong\n- line 2, hint: /,
      );
    } finally {
      problems.dispose();
    }
  });

  it("tells the model of the problems of the file where only the cursor is in question, the nearest first", async () => {
    const { document } = await open("a\nb\nc\nsecret = ghp_0123456789abcdefghijklmnopqrstuvwxyz\n");
    const problems = languages.createDiagnosticCollection();
    try {
      const at = (line: number, message: string, severity?: DiagnosticSeverity): Diagnostic =>
        new Diagnostic(new Range(line, 0, line, 1), message, severity);
      const hint = at(2, "no problem", DiagnosticSeverity.Hint);
      problems.set(document.uri, [at(3, "no ghp_0123456789abcdefghijklmnopqrstuvwxyz"), at(2, "wrong"), hint]);
      await chat.open({ uri: document.uri, range: new Range(1, 0, 1, 0), question });
      const asked = requests[0]?.messages.at(-1)?.content ?? "";
      assert.match(asked, /Problems reported in this file:\n- line 3, error: wrong\n- line 4, error: no .*\n\nShout$/);
      assert.doesNotMatch(asked, /no problem|ghp_/);
    } finally {
      problems.dispose();
    }
  });

  it("puts a block without a mark in place of the cursor's line when it is told to", async () => {
    const { document } = await open("a\nb\nc\n");
    text = "```plaintext\nB\n```";
    await chat.open({ uri: document.uri, range: new Range(1, 0, 1, 0), question });
    await chat.act("replaceSelection");
    assert.equal(document.getText(), "a\nB\nc\n");
  });

  it("leaves a second place with the same text alone", async () => {
    const editor = await open("a\nb\nc\nb\n");
    await chat.open({ uri: editor.document.uri, range: new Range(1, 0, 1, 1), question });
    await insert(editor, 1, "x");
    await assert.rejects(chat.act("apply"));
    assert.equal(editor.document.getText(), "a\nxb\nc\nb\n");
  });

  it("undoes no line that looks like the applied one", async () => {
    const editor = await open("a\nb\nc\nB\n");
    await chat.open({ uri: editor.document.uri, range: new Range(1, 0, 1, 1), question });
    await chat.act("apply");
    await insert(editor, 1, "x");
    await assert.rejects(chat.act("undo"));
    assert.equal(editor.document.getText(), "a\nxB\nc\nB\n");
  });

  it("asks in a new thread when a failed question is retried after its thread was closed", async () => {
    const editor = await open("a\nb\n");
    failure = new GatewayError("overloaded", "");
    await chat.open({ uri: editor.document.uri, range: new Range(1, 0, 1, 1), question });
    chat.close(undefined);
    await insert(editor, 0, "x\n");
    failure = undefined;
    await reported[0]?.retry?.();
    assert.match(requests[1]?.messages[1]?.content ?? "", /about line 3:\n\n```plaintext\nb\n```/);
    await chat.act("apply");
    assert.equal(editor.document.getText(), "x\na\nB\n");
  });

  it("keeps what was selected and said before when a failed question is retried after its thread was closed", async () => {
    const { document } = await open("a\nlet b\n");
    await chat.open({ uri: document.uri, range: new Range(1, 4, 1, 5), question });
    failure = new GatewayError("overloaded", "");
    await chat.open({ uri: document.uri, range: new Range(1, 4, 1, 5), question: { shown: "More", prompt: "More" } });
    chat.close(undefined);
    failure = undefined;
    await reported[0]?.retry?.();
    const [, earlier, , last] = requests[2]?.messages ?? [];
    assert.equal(earlier?.content, "Shout");
    assert.match(last?.content ?? "", /the following is selected:\n```plaintext\nb\n```\n\nMore$/);
  });

  it("changes a file of a virtual file system, and puts back what stood there", async () => {
    const files = new MemoryFiles();
    files.entries.set("/a.txt", Buffer.from("a\r\nb"));
    const registration = workspace.registerFileSystemProvider("inline-memory", files);
    try {
      const { document } = await window.showTextDocument(Uri.parse("inline-memory:/a.txt"));
      await chat.open({ uri: document.uri, range: new Range(1, 0, 1, 1), question });
      await chat.act("apply");
      await document.save();
      assert.equal(String(files.entries.get("/a.txt")), "a\r\nB");
      await chat.act("undo");
      await document.save();
      assert.equal(String(files.entries.get("/a.txt")), "a\r\nb");
    } finally {
      registration.dispose();
    }
  });

  it("asks for no change of a file in a read-only file system", async () => {
    const files = new MemoryFiles();
    files.entries.set("/a.txt", Buffer.from("a\nb"));
    const registration = workspace.registerFileSystemProvider("inline-read-only", files, { isReadonly: true });
    try {
      const { document } = await window.showTextDocument(Uri.parse("inline-read-only:/a.txt"));
      await chat.open({ uri: document.uri, range: new Range(1, 0, 1, 1), question });
      assert.match(requests[0]?.messages[0]?.content ?? "", /cannot be changed/);
    } finally {
      registration.dispose();
    }
  });

  it("gives VS Code no comment with a property that only an API proposal has", () => {
    const answer = new Answer(question);
    for (const comment of [
      answer,
      new StatusLine(answer, {
        canEdit: true,
        scope: "symbol",
        selected: undefined,
        lines: { start: 0, end: 1 },
      }),
      new InputComment(""),
      questionComment(""),
    ]) {
      assert.ok(!("state" in comment), "VS Code rejects it: CANNOT use API proposal: commentsDraftState");
    }
  });

  async function* answer(request: ChatRequest): AsyncGenerator<AnswerPart> {
    requests.push(request);
    await Promise.resolve();
    if (failure) throw failure;
    yield { type: "start", entry: "primary", dropped: [] };
    yield { type: "text", text };
    yield { type: "finish", reason: "stop" };
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
