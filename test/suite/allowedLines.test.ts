import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { Range, Selection, type TextEditor, type Uri, window } from "vscode";
import { GatewayError } from "../../src/gateway/errors.ts";
import { at } from "./editing.ts";
import { question, withInlineChat } from "./withInlineChat.ts";

describe("inline chat in a file that may not be sent", () => {
  let file: Uri;
  const lines = Array.from({ length: 40 }, (_, line) => `canary ${line}.`);
  const selection = new Selection(10, 0, 11, 10);
  const selected = ["canary 10.", "canary 11."];
  const refusal = { name: "UserError", kind: "fileDenied", subject: "The file is ignored." };
  const local = withInlineChat();

  let editor: TextEditor;

  beforeEach(async () => {
    // VS Code may have unsaved changes of a file that has just been closed.
    file = at(`ignored-${randomUUID()}.txt`);
    writeFileSync(file.fsPath, lines.join("\n"));
    editor = await window.showTextDocument(file);
  });
  afterEach(() => {
    rmSync(file.fsPath);
  });

  it("is not asked without a selection, by the user or by what names a range, and says how", async () => {
    const range = new Range(10, 0, 12, 0);
    for (const selected of [new Selection(10, 2, 10, 2), new Selection(11, 0, 11, 3)]) {
      editor.selection = selected;
      await assert.rejects(() => local.chat.open({ uri: file, range, question }), refusal);
    }
    editor.selection = new Selection(10, 2, 10, 2);
    await assert.rejects(() => local.chat.open({}), refusal);
    assert.deepEqual(local.requests, []);
  });

  it("sends the selected lines and no others, also in a follow-up and in a second request", async () => {
    editor.selection = selection;
    local.texts = [
      "```plaintext\n<<<<<<< SEARCH\ncanary 10.\nwrong\n=======\nnew\n>>>>>>> REPLACE\n```",
      "none",
      "It is so.",
    ];
    await local.chat.open({ question });
    await local.chat.open({ question });
    assert.equal(local.requests.length, 3);
    for (const [index] of local.requests.entries()) assert.deepEqual(sent(index), selected, String(index));
  });

  it("sends nothing more once the lines took in others, as a formatter may replace the whole text", async () => {
    editor.selection = selection;
    await local.chat.open({ question });
    const all = new Range(0, 0, editor.document.lineCount, 0);
    await editor.edit((edit) => {
      edit.replace(all, lines.map((line) => `${line} `).join("\n"));
    });
    await local.chat.act("askAgain");
    assert.equal(local.requests.length, 1);
    assert.equal(local.reported.length, 1);
  });

  it("sends nothing when it is retried after its thread was closed and its lines are gone", async () => {
    editor.selection = selection;
    local.failure = new GatewayError("overloaded", "");
    await local.chat.open({ question });
    local.chat.close(undefined);
    await editor.edit((edit) => {
      edit.delete(new Range(5, 0, 11, 0));
    });
    await local.reported[0]?.retry?.();
    assert.equal(local.requests.length, 1);
  });

  it("goes on where the lines moved, or were edited within", async () => {
    editor.selection = selection;
    await local.chat.open({ question });
    await editor.edit((edit) => {
      edit.delete(new Range(2, 0, 4, 0));
      edit.insert(selection.start.translate(0, 6), ": ");
      edit.insert(selection.start.translate(5), "below\n");
    });
    await local.chat.act("askAgain");
    assert.match(local.asked(), /lines 9 to 10:\n\n```plaintext\ncanary:  10\.\ncanary 11\.\n```/);
    assert.deepEqual(sent(1), ["canary 11."]);
  });

  /** The lines of the file that a request has, in all its messages. */
  function sent(index: number): readonly string[] {
    const content = local.requests[index]?.messages.map((message) => message.content).join("\n") ?? "";
    return lines.filter((line) => content.includes(line));
  }
});
