import assert from "node:assert/strict";
import { Range, type TextDocument, Uri, window, workspace } from "vscode";
import { inlineChatCommands } from "../../src/inline/inlineCommands.ts";
import { taskPrompts } from "../../src/text/tasks.ts";
import { open } from "./editing.ts";
import { type LocalInlineChat, withInlineChat } from "./withInlineChat.ts";

describe("the command Inline Chat, which any extension can run", () => {
  const range = new Range(1, 0, 1, 1);
  let document: TextDocument;
  let local: LocalInlineChat;

  withInlineChat((one) => {
    local = one;
  });
  beforeEach(async () => {
    ({ document } = await open("a\nb\n"));
  });

  it("asks what the lightbulb offers for an open document, about the lines that it has, whatever range is given", async () => {
    await run({ task: "explain", uri: document.uri, range: new Range(1, 0, 10_000, 7) });
    assert.equal(local.requests.length, 1);
    assert.match(local.asked(), /is about line 2:\n\n```plaintext\nb\n```/);
    assert.ok(local.asked().endsWith(taskPrompts.explain));
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
      assert.deepEqual(local.requests, []);
      assert.equal(window.activeTextEditor?.document, document);
      assert.ok(!workspace.textDocuments.some(({ uri }) => uri.toString() === elsewhere.toString()));
    });
  }

  async function run(argument: unknown): Promise<void> {
    await inlineChatCommands.inlineChat({ inlineChat: local.chat, taskPrompts }, argument);
  }
});
