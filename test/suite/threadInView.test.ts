import assert from "node:assert/strict";
import { commands, Selection, type TextEditor, TextEditorRevealType } from "vscode";
import { open } from "./editing.ts";
import { until } from "../support/until.ts";
import { question, withInlineChat } from "./withInlineChat.ts";

describe("an inline chat thread", () => {
  const local = withInlineChat("Because.");

  it("gets space below a selection that is low in the window, once", async () => {
    const editor = await longFile();
    const { start, end } = visible(editor);
    editor.selection = new Selection(end - 2, 0, end - 1, 3);
    const ending = Promise.withResolvers<undefined>();
    local.beforeEnd = () => ending.promise;
    const asked = local.chat.open({ question });
    await until(() => visible(editor).start >= start + 10);
    assert.ok(visible(editor).start <= end - 2 && visible(editor).end >= end - 1, "the lines are still in view");
    await scrollTo(editor, 200);
    ending.resolve(undefined);
    await asked;
    assert.ok(visible(editor).start >= 195, "the user may scroll away");
  });

  it("does not scroll if there is space, or if the whole file is visible", async () => {
    const editor = await longFile();
    const { start } = visible(editor);
    editor.selection = new Selection(start + 2, 0, start + 2, 3);
    await local.chat.open({ question });
    assert.equal(visible(editor).start, start);
    const short = await open("a\nb\nc\nd");
    short.selection = new Selection(3, 0, 3, 1);
    await local.chat.open({ question });
    assert.equal(visible(short).start, 0);
    await commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("gets space below the end of a file", async () => {
    const editor = await longFile();
    await commands.executeCommand("cursorBottom");
    await until(() => visible(editor).end === 299 && editor.selection.active.line === 299);
    const { start } = visible(editor);
    await local.chat.open({ question });
    await until(() => visible(editor).start >= start + 10);
  });

  it("leaves its code in view when it is closed, however far below that the window was scrolled", async () => {
    const editor = await open("a\nb\nc\nd\n");
    local.texts = ["Because.\n\n".repeat(50)];
    await local.chat.open({ uri: editor.document.uri, range: new Selection(0, 0, 3, 1), question });
    await until(() => visible(editor).start === 4);
    // From now on, inline chat leaves scrolling to the user.
    await commands.executeCommand("cursorMove", { to: "right" });
    await until(() => visible(editor).start === 0);
    await commands.executeCommand("editorScroll", { to: "down", by: "page", value: 9, revealCursor: false });
    await until(() => visible(editor).start === 4);
    local.chat.close(undefined);
    await until(() => visible(editor).start < 4);
  });
});

/** A file of 300 lines, scrolled to its middle. */
async function longFile(): Promise<TextEditor> {
  const content = Array.from({ length: 300 }, (_, index) => `line ${index}`).join("\n");
  const editor = await open(content);
  await scrollTo(editor, 100);
  return editor;
}

/** Scrolls until a line is near the top: a busy window may lose a request to reveal it. */
async function scrollTo(editor: TextEditor, line: number): Promise<void> {
  await until(() => {
    editor.revealRange(new Selection(line, 0, line, 0), TextEditorRevealType.AtTop);
    return visible(editor).start >= line - 5;
  });
}

/** The first and the last line in view. */
function visible(editor: TextEditor): { readonly start: number; readonly end: number } {
  return { start: editor.visibleRanges[0]?.start.line ?? -1, end: editor.visibleRanges.at(-1)?.end.line ?? -1 };
}
