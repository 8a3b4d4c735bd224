import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commands, Range, Selection, type TextDocument, window, workspace } from "vscode";
import type { AnswerPart, ChatRequest } from "../../src/gateway/types.ts";
import { InlineChat } from "../../src/inline/inlineChat.ts";
import { diffScheme } from "../../src/manifest.ts";
import { readSettings, type Settings } from "../../src/settings/settings.ts";
import { insert, open, until } from "./editing.ts";
import { inlineServices } from "./inlineServices.ts";

const question = { shown: "Change it", prompt: "Change it" };
const search = (old: string, text: string): string => `<<<<<<< SEARCH\n${old}\n=======\n${text}\n>>>>>>> REPLACE`;
const replace = (text: string): string => `\`\`\`plaintext replace\n${text}\n\`\`\``;

const nothing = (): Promise<void> => Promise.resolve();

describe("edits of inline chat", () => {
  const requests: ChatRequest[] = [];
  const reported: unknown[] = [];
  let texts: readonly string[] = [];
  let apply: Settings["inlineChatApply"] = "ask";
  let beforeEnd: (signal: AbortSignal) => Promise<void> = nothing;
  let chat: InlineChat;

  beforeEach(() => {
    requests.length = 0;
    reported.length = 0;
    apply = "ask";
    beforeEnd = nothing;
    chat = new InlineChat(
      inlineServices(answer, {
        notifier: {
          report: (error, operation) => {
            if (error instanceof Error && error.name === "AbortError") return undefined;
            reported.push(error, operation);
            return { text: "It failed." };
          },
        },
        settings: () => ({
          ...readSettings((section) => workspace.getConfiguration(section, null)),
          inlineChatApply: apply,
        }),
      }),
    );
  });

  afterEach(async () => {
    chat.dispose();
    await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("change the selection and another place of the file at once, as one undo step", async () => {
    const before = "import a;\n\none\ntwo\n";
    const { document } = await open(before);
    texts = [`${replace("ONE")}\n\n${search("import a;", "import a;\nimport b;")}`];
    await ask(document, 2);
    await chat.act("apply");
    assert.equal(document.getText(), "import a;\nimport b;\n\nONE\ntwo\n");
    await commands.executeCommand("undo");
    await until(() => document.getText() === before);
  });

  it("change a file of 2,000 lines from a cursor, with blocks of a few lines", async () => {
    const lines = Array.from({ length: 2_000 }, (_, index) => `line ${index + 1};`);
    const editor = await open(lines.join("\n"));
    texts = [`${search("line 1200;", "line 1200, new;")}\n\n${search("line 3;", "line 3, new;")}`];
    await chat.open({ uri: editor.document.uri, range: new Range(1_990, 2, 1_990, 2), question });
    const rules = requests[0]?.messages[0]?.content ?? "";
    assert.match(rules, /<<<<<<< SEARCH/);
    assert.doesNotMatch(rules, /plaintext replace/);
    editor.revealRange(new Range(1_990, 0, 1_990, 0));
    await until(() => editor.visibleRanges.some(({ end }) => end.line >= 1_990));
    await chat.act("apply");
    assert.equal(editor.document.lineAt(1_199).text, "line 1200, new;");
    assert.equal(editor.document.lineAt(2).text, "line 3, new;");
    assert.equal(editor.document.lineCount, 2_000);
  });

  it("are applied where their lines are after typing, and shown anew where these have changed", async () => {
    const editor = await open("a\nb\nc\nd\ne\n");
    const { document } = editor;
    texts = [search("d", "D\nD")];
    await ask(document, 0);
    await insert(editor, 0, "x\n");
    await chat.act("apply");
    assert.equal(document.getText(), "x\na\nb\nc\nD\nD\ne\n");

    texts = [`${search("x", "X")}\n${search("e", "E")}`];
    await ask(document, 1);
    await insert(editor, 0, "e");
    await assert.rejects(chat.act("apply"), { kind: "codeChanged" });
    assert.equal(document.getText(), "ex\na\nb\nc\nD\nD\ne\n");
  });

  it("are asked for once more when they have no place, with the lines that are there", async () => {
    const { document } = await open("a\nlet b = 1;\nlet c = 2;\nd\n");
    texts = [search("let b = 1;\nlet c = 3;", "B"), search("let b = 1;\nlet c = 2;", "B")];
    await ask(document, 0);
    assert.equal(requests.length, 2);
    const last = requests[1]?.messages.at(-1)?.content ?? "";
    assert.match(last, /The first line that differs is `let c = 3;`; the file has `let c = 2;` in line 3\./);
    assert.equal(requests[1]?.messages.at(-2)?.content, texts[0]);
    await chat.act("apply");
    assert.equal(document.getText(), "a\nB\nd\n");
  });

  it("are left as they are when the second attempt is stopped, and can be asked for again", async () => {
    const { document } = await open("a\nb\n");
    texts = [search("x", "y"), search("a", "A")];
    beforeEnd = (signal) => {
      if (requests.length === 2) chat.stop(undefined);
      signal.throwIfAborted();
      return nothing();
    };
    await ask(document, 0);
    assert.equal(reported.length, 0);
    await chat.act("apply");
    assert.equal(document.getText(), "a\nb\n");
    await chat.act("askAgain");
    await chat.act("apply");
    assert.equal(document.getText(), "A\nb\n");
  });

  for (const mode of ["ask", "automatically"] as const) {
    it(`leave only the cursor of the selection that they were asked about: ${mode}`, async () => {
      const editor = await open("a\nb\nc\n");
      apply = mode;
      texts = [replace("A\nB")];
      editor.selection = new Selection(1, 1, 0, 0);
      await chat.open({ question });
      await chat.act("apply");
      assert.equal(editor.document.getText(), "A\nB\nc\n");
      await until(() => editor.selection.isEmpty);
    });
  }

  it("that are applied by themselves leave another selection as it is", async () => {
    const editor = await open("a\nb\nc\nd\n");
    apply = "automatically";
    texts = [replace("A")];
    const elsewhere = new Selection(2, 0, 3, 1);
    editor.selection = new Selection(0, 0, 0, 1);
    beforeEnd = async () => {
      editor.selection = elsewhere;
      await until(() => editor.selection.isEqual(elsewhere));
    };
    await chat.open({ question });
    assert.equal(editor.document.getText(), "A\nb\nc\nd\n");
    assert.ok(editor.selection.isEqual(elsewhere));
  });

  it("are not applied by themselves when the code has changed, a part has no place, or the block has no mark", async () => {
    apply = "automatically";
    const editor = await open("a\nb\n");
    texts = [replace("A")];
    beforeEnd = async () => {
      await insert(editor, 0, "x");
    };
    await ask(editor.document, 0);
    assert.equal(editor.document.getText(), "xa\nb\n");
    beforeEnd = nothing;
    const other = "*** Begin Patch\n*** Add File: src/b.ts\n+b\n*** End Patch";
    for (const text of [`${replace("A")}\n\n${other}`, `${replace("A")}\n${search("q", "z")}`, "```ts\nA\n```"]) {
      texts = [text];
      await ask(editor.document, 0);
      assert.equal(editor.document.getText(), "xa\nb\n", text);
    }
  });

  it("are not applied by themselves to a file that can run code without being started", async () => {
    const folder = await mkdtemp(join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? "", "wharf-"));
    await writeFile(join(folder, "pier.config.js"), "a\nb\n");
    const document = await workspace.openTextDocument(join(folder, "pier.config.js"));
    await window.showTextDocument(document);
    apply = "automatically";
    texts = [replace("A")];
    await ask(document, 0);
    assert.equal(document.getText(), "a\nb\n");
    await chat.act("apply");
    assert.equal(document.getText(), "A\nb\n");
    await rm(folder, { recursive: true });
  });

  it("of an only block without a mark replace the selection when they are told to", async () => {
    const { document } = await open("a\nb\n");
    texts = ["Like this:\n\n```ts\nA\nA\n```"];
    await ask(document, 0);
    await chat.act("apply");
    assert.equal(document.getText(), "a\nb\n");
    await chat.act("replaceSelection");
    assert.equal(document.getText(), "A\nA\nb\n");
  });

  it("tell the model which parts of its last change were kept", async () => {
    const { document } = await open("a\nb\nc\nd\ne\n");
    texts = [`${search("a", "A")}\n${search("e", "E")}`];
    await ask(document, 0);
    await chat.act("apply");
    await chat.act("keep");
    await chat.act("undo");
    assert.equal(document.getText(), "A\nb\nc\nd\ne\n");
    texts = ["Nothing is to be changed."];
    await ask(document, 0);
    assert.match(
      requests.at(-1)?.messages.at(-1)?.content ?? "",
      /^I kept only parts of the change of your last answer:\n- kept: the lines from `A`\n- undone: the lines from `E`$/m,
    );
  });

  it("are shown before they are applied when the thread cannot show them as a whole", async () => {
    const long = "x".repeat(110_000);
    const { document } = await open(`${long}\nb\n`);
    texts = [replace("short")];
    await ask(document, 0);
    await chat.act("apply");
    assert.equal(document.lineAt(0).text, long);
    await until(() => window.visibleTextEditors.some((editor) => editor.document.uri.scheme === diffScheme));
    await chat.act("apply");
    assert.equal(document.getText(), "short\nb\n");
    await commands.executeCommand("workbench.action.closeActiveEditor");
  });

  async function ask(document: TextDocument, line: number): Promise<void> {
    const end = document.lineAt(line).text.length;
    await chat.open({ uri: document.uri, range: new Range(line, 0, line, Math.max(1, end)), question });
  }

  async function* answer(request: ChatRequest, signal: AbortSignal): AsyncGenerator<AnswerPart> {
    requests.push(request);
    const isRepair = request.messages.at(-1)?.content.startsWith("Nothing of your last answer") === true;
    yield { type: "start", entry: "primary", dropped: [] };
    yield { type: "text", text: (isRepair || requests.length > 2 ? texts.at(-1) : texts[0]) ?? "" };
    await beforeEnd(signal);
    yield { type: "finish", reason: "stop" };
  }
});
