import assert from "node:assert/strict";
import {
  type CodeAction,
  CodeActionKind,
  commands,
  Diagnostic,
  type DiagnosticCollection,
  DiagnosticSeverity,
  type Disposable,
  languages,
  Range,
  type TextDocument,
  Uri,
  window,
  workspace,
} from "vscode";
import { inlineChatCommands } from "../../src/inline/inlineCommands.ts";
import { registerCodeActions } from "../../src/inline/registerCodeActions.ts";
import { taskPrompts } from "../../src/prompts/tasks.ts";
import { until } from "../support/until.ts";
import { open } from "./editing.ts";
import { withInlineChat } from "./withInlineChat.ts";

const title = "Fix All Problems in File with Codex";
const { Error, Warning, Information } = DiagnosticSeverity;

describe("the lightbulb", () => {
  const local = withInlineChat();

  let collection: DiagnosticCollection;
  let actions: Disposable;

  beforeEach(() => {
    collection = languages.createDiagnosticCollection("fix-all");
    actions = registerCodeActions();
  });
  afterEach(() => {
    actions.dispose();
    collection.dispose();
  });

  it("offers to explain, test, and document what is selected", async () => {
    const { uri } = await opened(10);
    const range = new Range(2, 0, 2, 4);
    const offered = await commands.executeCommand<CodeAction[]>("vscode.executeCodeActionProvider", uri, range);
    const titles = new Set(offered.map((action) => action.title).filter((one) => one.endsWith("with Codex")));
    assert.deepEqual(titles, new Set(["Explain with Codex", "Write Tests with Codex", "Document with Codex"]));
    await ask(offered.find((action) => action.title === "Document with Codex"));
    assert.match(local.asked(), /documentation comments/);
  });

  it("has a quick fix for all problems where the file has more than one error or warning, and only at a problem", async () => {
    const document = await opened(10);
    collection.set(document.uri, [at(2, Error), at(2, Information)]);
    assert.equal(await fixAllAt(document, 2), undefined);
    collection.set(document.uri, [at(2, Error), at(8, Warning)]);
    const action = await fixAllAt(document, 2);
    assert.ok(action?.kind?.contains(CodeActionKind.QuickFix));
    assert.equal(await fixAllAt(document, 5), undefined);
    collection.set(document.uri, []);
    await ask(action);
    assert.deepEqual(local.requests, [], "the problems are gone meanwhile");
  });

  it("asks once about all problems, with the lines around them", async () => {
    const document = await opened(450);
    const around = [at(430, Warning), at(40, Error), at(100, Warning)];
    collection.set(document.uri, [...around, at(445, Information), at(200, Information)]);
    await ask(await fixAllAt(document, 40));
    assert.equal(local.requests.length, 1);
    assert.match(local.asked(), /The question is about lines 41 to 431:/);
    assert.doesNotMatch(local.asked(), /is selected:/);
    const problems =
      /:\n- line 41, error: 40\n- line 431, warning: 430\n- line 101, warning: 100\n- line 201, information: 200\n\nFix all/;
    assert.match(local.asked(), problems);
  });

  it("asks about the file where problems are far apart, errors and the nearest first", async () => {
    const document = await opened(2_000);
    collection.set(document.uri, [at(0, Warning), at(1_450, Warning), at(1_999, Error), at(1_500, Information)]);
    await ask(await fixAllAt(document, 1_450));
    const problems =
      /in this file:\n- line 2000, error: .*\n- line 1451, warning: .*\n- line 1, warning: .*\n\nFix all/;
    assert.match(local.asked(), problems);
    assert.doesNotMatch(local.requests[0]?.messages[0]?.content ?? "", /whole replacement/);
  });

  async function fixAllAt({ uri }: TextDocument, line: number): Promise<CodeAction | undefined> {
    const range = new Range(line, 0, line, 0);
    const offered = await commands.executeCommand<CodeAction[]>("vscode.executeCodeActionProvider", uri, range);
    return offered.find((action) => action.title === title);
  }

  async function ask(action: CodeAction | undefined): Promise<void> {
    assert.ok(action?.command);
    await inlineChatCommands.inlineChat({ inlineChat: local.chat }, action.command.arguments?.[0]);
  }
});

async function opened(lines: number): Promise<TextDocument> {
  return (await open(Array.from({ length: lines }, (_, line) => `line ${line}`).join("\n"))).document;
}

function at(line: number, severity: DiagnosticSeverity): Diagnostic {
  return new Diagnostic(new Range(line, 0, line, 4), String(line), severity);
}

describe("the command Inline Chat, which any extension can run", () => {
  const range = new Range(1, 0, 1, 1);
  let document: TextDocument;
  const local = withInlineChat();

  beforeEach(async () => {
    ({ document } = await open("a\nb\n"));
  });

  it("asks what the lightbulb offers for an open document, about the lines that it has, whatever range is given", async () => {
    await run({ task: "explain", uri: document.uri, range: new Range(1, 0, 10_000, 7) });
    assert.equal(local.requests.length, 1);
    assert.match(local.asked(), /is about line 2:\n\n```plaintext\nb\n```/);
    assert.ok(local.asked().endsWith(taskPrompts.explain));
  });

  it("asks about the lines of the lightbulb, and leaves a conversation about more lines as it is", async () => {
    const ending = Promise.withResolvers<undefined>();
    let stopped = 0;
    local.texts = ["It is so."];
    local.beforeEnd = (signal) => {
      signal.addEventListener("abort", () => (stopped += 1));
      return ending.promise;
    };
    const whole = run({ task: "tests", uri: document.uri, range: new Range(0, 0, 1, 1) });
    await until(() => local.requests.length === 1);
    const part = run({ task: "explain", uri: document.uri, range });
    await until(() => local.requests.length === 2);
    ending.resolve(undefined);
    await Promise.all([whole, part]);
    assert.match(local.asked(), /is about line 2:/);
    assert.equal(stopped, 0);
    await run({ task: "explain", uri: document.uri, range: new Range(0, 0, 1, 1) });
    assert.equal(local.requests.at(-1)?.messages.length, 4, "the first one goes on");
  });

  it("reads and sends nothing by itself for anything else, and only opens the input", async () => {
    const elsewhere = Uri.file("/etc/passwd");
    const { uri } = document;
    const foreign: readonly unknown[] = [
      ...[undefined, null, "explain", { task: "explain", uri }],
      { task: "explain", uri: elsewhere, range },
      { task: "explain", uri: uri.toString(), range },
      { task: "explain", uri: { scheme: "untitled", path: uri.path }, range },
      { task: "explain", uri, range: { start: 0, end: 1 } },
      { question: "Send it", prompt: "Send it", uri, range },
      ...["Send it", "constructor", ["explain"]].map((task) => ({ task, uri, range })),
    ];
    for (const argument of foreign) {
      await run(argument);
      assert.deepEqual(local.requests, [], JSON.stringify(argument));
      // Where VS Code is busy, the input is the active editor.
      assert.ok(window.visibleTextEditors.some((editor) => editor.document === document));
      assert.ok(!workspace.textDocuments.some((one) => one.uri.toString() === elsewhere.toString()));
    }
  });

  async function run(argument: unknown): Promise<void> {
    await inlineChatCommands.inlineChat({ inlineChat: local.chat }, argument);
  }
});
