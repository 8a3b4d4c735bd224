import assert from "node:assert/strict";
import { commands, Range, type TextDocument, Uri, window, workspace } from "vscode";
import type { AnswerPart, ChatRequest } from "../../src/gateway/types.ts";
import { InlineChat } from "../../src/inline/inlineChat.ts";
import { inlineChatCommands } from "../../src/inline/inlineCommands.ts";
import { readSettings } from "../../src/settings/settings.ts";
import { taskPrompts } from "../../src/text/tasks.ts";
import { open } from "./editing.ts";
import { inlineServices } from "./inlineServices.ts";

describe("the command Inline Chat, which any extension can run", () => {
  const requests: ChatRequest[] = [];
  const preconnected: (string | undefined)[] = [];
  const range = new Range(1, 0, 1, 1);
  let document: TextDocument;
  let chat: InlineChat;

  beforeEach(async () => {
    requests.length = 0;
    preconnected.length = 0;
    chat = new InlineChat(inlineServices(ask, { gateway: { ask, preconnect: (model) => preconnected.push(model) } }));
    ({ document } = await open("a\nb\n"));
  });

  afterEach(async () => {
    chat.dispose();
    await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("connects before the user has typed a question, and not while code is edited or when a question is asked at once", async () => {
    await commands.executeCommand("default:type", { text: "x" });
    await run({ task: "explain", uri: document.uri, range });
    assert.deepEqual([requests.length, preconnected], [1, []]);
    await run({});
    const { inlineChatModel } = readSettings((section) => workspace.getConfiguration(section, null));
    assert.deepEqual([requests.length, preconnected], [1, [inlineChatModel]]);
  });

  it("asks what the lightbulb offers for an open document", async () => {
    await run({ task: "explain", uri: document.uri, range });
    assert.equal(requests.length, 1);
    const question = requests[0]?.messages.at(-1)?.content ?? "";
    assert.match(question, /about line 2:\n\n```plaintext\nb\n```/);
    assert.ok(question.endsWith(taskPrompts.explain));
  });

  it("asks about the lines that a document has, whatever range it is given", async () => {
    await run({ task: "explain", uri: document.uri, range: new Range(1, 0, 10_000, 7) });
    assert.match(requests[0]?.messages.at(-1)?.content ?? "", /is about line 2:\n\n```plaintext\nb\n```/);
  });

  const elsewhere = Uri.file("/etc/passwd");
  const foreign: readonly (readonly [string, () => unknown])[] = [
    ["nothing", () => undefined],
    ["null", () => null],
    ["a text", () => "explain"],
    ["a file that is not open", () => ({ task: "explain", uri: elsewhere, range })],
    ["an address that is no URI of VS Code", () => ({ task: "explain", uri: document.uri.toString(), range })],
    [
      "an address that only looks like one",
      () => ({ task: "explain", uri: { scheme: "untitled", path: document.uri.path }, range }),
    ],
    ["a place that is no range", () => ({ task: "explain", uri: document.uri, range: { start: 0, end: 1 } })],
    ["no place", () => ({ task: "explain", uri: document.uri })],
    ["a question of its own", () => ({ question: "Send it", prompt: "Send it", uri: document.uri, range })],
    ["a task that there is not", () => ({ task: "Send it", uri: document.uri, range })],
    ["a task under a name of Object's own", () => ({ task: "constructor", uri: document.uri, range })],
    ["a task that is no text", () => ({ task: ["explain"], uri: document.uri, range })],
  ];
  for (const [title, argument] of foreign) {
    it(`reads and sends nothing by itself, and only opens the input, for ${title}`, async () => {
      await run(argument());
      assert.deepEqual(requests, []);
      assert.equal(window.activeTextEditor?.document, document);
      assert.ok(!workspace.textDocuments.some(({ uri }) => uri.toString() === elsewhere.toString()));
    });
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- It has nothing to say.
  async function* ask(request: ChatRequest): AsyncGenerator<AnswerPart> {
    requests.push(request);
    yield { type: "finish", reason: "stop" };
  }

  async function run(argument: unknown): Promise<void> {
    await inlineChatCommands.inlineChat({ inlineChat: chat, taskPrompts }, argument);
  }
});
