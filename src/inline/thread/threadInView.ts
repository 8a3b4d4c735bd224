import { commands, Disposable, Selection, type TextEditor, TextEditorRevealType, window, workspace } from "vscode";
import { setTimeout } from "node:timers/promises";
import type { LineRange } from "../../text/lineRange.ts";
import { codeEditor, type DocumentLines, isInView, rangeOf } from "../../ui/editors.ts";

interface Shown extends DocumentLines {
  /** Ends the scrolling in progress, which the next one would mistake for the user's. */
  scrolling: AbortController;
}

/** The height of a conversation with one question, in lines of code. */
const rowsOfThread = 15;

/** Scrolls the active editor as little as shows where a conversation will begin, so that nothing moves afterwards. */
export function makeRoom({ document, lines }: DocumentLines): void {
  const editor = window.activeTextEditor;
  const last = Math.max(lines.start, lines.end - 1);
  if (editor?.document === document) editor.revealRange(rangeOf(document, { start: last, end: last + rowsOfThread }));
}

/** Scrolls as little as shows the end of a conversation that is in view, with its actions or input. */
export async function showEnd(thread: Shown): Promise<void> {
  const { document } = thread;
  await scrollUntilLaidOut(thread, async (editor) => {
    if (!isInView(thread)) return;
    const { end } = thread.lines;
    if (end < document.lineCount) editor.revealRange(rangeOf(document, { start: end, end: end + 1 }));
    else await showEndOfFile(editor);
  });
}

/** Shows lines of a conversation's document in the active editor, with the buttons above them. */
export async function showLines(thread: Shown, { start, end }: LineRange): Promise<void> {
  const range = rangeOf(thread.document, { start: Math.max(0, start - 1), end });
  await scrollUntilLaidOut(thread, (editor) => {
    editor.revealRange(range, TextEditorRevealType.InCenterIfOutsideViewport);
  });
}

/**
 * How long VS Code may take to lay out what has changed in a conversation, in milliseconds: its extension host sends comments
 * after 100 (`ExtHostCommentThread`, VS Code 1.139.1), and no event says when they are drawn.
 */
const layoutPauses = [150, 250, 500, 1_000];

/** How long after a scroll by the extension VS Code may report it, in milliseconds. */
const reportTime = 150;

/** Repeats a scroll of the active editor while VS Code lays out a conversation, until the user scrolls or moves the cursor. */
async function scrollUntilLaidOut(thread: Shown, scroll: (editor: TextEditor) => unknown): Promise<void> {
  const { document } = thread;
  thread.scrolling.abort();
  const moved = (thread.scrolling = new AbortController());
  let scrolled = Date.now();
  let top = codeEditor()?.visibleRanges[0]?.start.line;
  const listeners = Disposable.from(
    window.onDidChangeTextEditorSelection(({ kind }) => {
      if (kind !== undefined) moved.abort();
    }),
    window.onDidChangeTextEditorVisibleRanges(({ textEditor, visibleRanges: [first] }) => {
      if (textEditor.document !== document || first?.start.line === top) return;
      top = first?.start.line;
      if (Date.now() - scrolled > reportTime) moved.abort();
    }),
  );
  try {
    for (const pause of layoutPauses) {
      await setTimeout(pause);
      const editor = codeEditor();
      if (moved.signal.aborted || editor?.document !== document) return;
      scrolled = Date.now();
      await scroll(editor);
    }
  } finally {
    listeners.dispose();
  }
}

/** The rows above the end of a file that are shown with it. Windows of 600 pixels have room for them. */
const rowsAboveEnd = 18;

/** Scrolls to the end of a file, and of what is shown below its last line, in one step that can be repeated unseen. */
async function showEndOfFile({ document }: TextEditor): Promise<void> {
  const scroll = (to: "up" | "down", value: number): object => {
    return { command: "editorScroll", args: { to, by: "wrappedLine", value, revealCursor: false } };
  };
  const leavesOneRow = workspace.getConfiguration("editor", document).get("scrollBeyondLastLine") === true;
  const down = scroll("down", document.lineCount + 10_000);
  await commands.executeCommand("runCommands", {
    commands: leavesOneRow ? [down, scroll("up", rowsAboveEnd)] : [down],
  });
}

/** Leaves only the cursor of a selection that would cover the highlights of a change, and that the next key would replace. */
export function collapseSelection({ document, lines }: DocumentLines): void {
  const editor = window.activeTextEditor;
  if (editor?.document !== document) return;
  const { start, end, active } = editor.selection;
  // The cursor may be at the start of the line below.
  const cursor = active.line < lines.end ? active : start;
  if (start.line < lines.end && end.line >= lines.start) editor.selection = new Selection(cursor, cursor);
}
