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
      assert.equal(window.activeTextEditor?.document, document);
      assert.ok(!workspace.textDocuments.some((one) => one.uri.toString() === elsewhere.toString()));
    }
  });

  async function run(argument: unknown): Promise<void> {
    await inlineChatCommands.inlineChat({ inlineChat: local.chat, taskPrompts }, argument);
  }
});
