import {
  commands,
  Selection,
  TabInputTextDiff,
  type TextDocument,
  type TextEditor,
  TextEditorRevealType,
  window,
} from "vscode";
import type { LineRange } from "../../text/lineRange.ts";
import { rangeOf, showForThreads } from "../ask/document.ts";
import type { InlineThread } from "./inlineThread.ts";
import { targetLines } from "../ask/targetLines.ts";

type Shown = Pick<InlineThread, "document" | "lines">;

/** The height of a conversation with one question, in lines of code. */
const rowsOfThread = 15;

/** Whether the lines of a conversation are visible in the active editor, or in a diff of their document there. */
export function isInView({ document, lines }: Shown): boolean {
  // The next line counts too: a long conversation is shown between the two and may hide the lines themselves.
  const range = rangeOf(document, { start: lines.start, end: Math.min(lines.end + 1, document.lineCount) });
  return editorsInFront(document.uri.toString()).some(
    (editor) =>
      editor.document === document && editor.visibleRanges.some((visible) => visible.intersection(range) !== undefined),
  );
}

/** Reveals the lines of a conversation. */
export async function bringIntoView({ document, lines }: Shown): Promise<void> {
  const range = rangeOf(document, lines);
  await showForThreads(document.uri, range);
  const editor = window.activeTextEditor;
  if (editor?.document === document) editor.revealRange(range, TextEditorRevealType.InCenterIfOutsideViewport);
}

/**
 * Scrolls the active editor as little as shows the beginning of a conversation, which comes below its last line. Done
 * before the conversation appears, so that nothing moves afterwards.
 */
export async function makeRoom({ document, lines }: Shown): Promise<void> {
  const editor = window.activeTextEditor;
  if (editor?.document !== document) return;
  const [first = 0, bottom = 0] = [editor.visibleRanges[0]?.start.line, editor.visibleRanges.at(-1)?.end.line];
  const last = Math.max(lines.start, lines.end - 1);
  const isWhole = first === 0 && bottom === document.lineCount - 1;
  if (isWhole) return;
  if (last < first || last > bottom) {
    const range = rangeOf(document, { start: last, end: last + 1 });
    editor.revealRange(range, TextEditorRevealType.InCenterIfOutsideViewport);
    return;
  }
  const ends = editor.visibleRanges.map(({ start, end }) => Math.max(0, end.line - Math.max(start.line - 1, last)));
  const missing = rowsOfThread - ends.reduce((sum, rows) => sum + rows, 0);
  const value = Math.min(missing, last - first);
  if (value > 0) await commands.executeCommand("editorScroll", { to: "down", by: "line", value, revealCursor: false });
}

/** The active editor, or both sides of a diff opened by Show Diff. */
function editorsInFront(uri: string): readonly TextEditor[] {
  const shown = window.tabGroups.activeTabGroup.activeTab?.input;
  const sides = shown instanceof TabInputTextDiff ? [shown.original, shown.modified] : [];
  if (sides.some((side) => side.toString() === uri)) return window.visibleTextEditors;
  return window.activeTextEditor ? [window.activeTextEditor] : [];
}

/** Returns focus to the editor. Read the code afterwards, because the user may type meanwhile. */
export async function focusEditor(): Promise<void> {
  await commands.executeCommand("workbench.action.focusActiveEditorGroup");
}

/**
 * Leaves only the cursor of the selection in the active editor, because a selection would cover the highlights of a change
 * and be overwritten by what is typed next. With `asked`, only if exactly these lines are selected, as they were when the
 * question was asked.
 */
export function collapseSelection(document: TextDocument, asked?: LineRange): void {
  const editor = window.activeTextEditor;
  if (editor?.document !== document || editor.selection.isEmpty) return;
  const { active } = editor.selection;
  const { start, end } = targetLines(editor.selection, []);
  if (asked === undefined || (start === asked.start && end === asked.end))
    editor.selection = new Selection(active, active);
}
