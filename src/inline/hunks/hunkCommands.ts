import { Selection, type TextEditor, TextEditorRevealType, window } from "vscode";
import { rangeOf, showForThreads } from "../ask/document.ts";
import type { InlineThread } from "../thread/inlineThread.ts";
import type { ChangeCommand } from "../thread/threadComments.ts";
import { bringIntoView, focusEditor, isInView } from "../thread/threadInView.ts";
import type { AppliedEdits, AnswerHunk } from "./appliedEdits.ts";
import { hunkAt, hunkFrom } from "./hunkTracker.ts";

type Thread = Pick<InlineThread, "document" | "lines" | "lastAnswer">;

/**
 * Runs a command on applied hunks. Its argument is the id of a hunk or an answer; anything else does nothing. Without an
 * argument, the command is about the hunk at the cursor, or else about the conversation or the hunks in view. Where it is
 * unclear which hunk is meant, the next one is shown instead.
 */
export async function runOnHunks(
  edits: AppliedEdits,
  command: ChangeCommand,
  argument: unknown,
  thread: Thread | undefined,
): Promise<void> {
  const given = edits.open.filter(({ id, answer }) => id === argument || answer.id === argument);
  if (argument !== undefined && given.length === 0) return;
  if (command === "nextChange" || command === "previousChange") {
    await focusEditor();
    await goOn(edits, command === "nextChange" ? 1 : -1, given[0]);
    return;
  }
  const isAll = command === "keepAll" || command === "undoAll";
  if (argument === undefined && atCursor(edits) === undefined && !(await isClear(edits, isAll, thread))) return;
  await focusEditor();
  const hunks = argument === undefined ? subjectOf(edits, isAll, thread) : isAll ? allOf(edits, given) : given;
  if (command === "keep" || command === "keepAll") edits.keep(hunks);
  else await edits.undo(hunks);
  const document = window.activeTextEditor?.document;
  if (argument === undefined && document && edits.openIn(document).length > 0) await goOn(edits, 1);
}

/** Whether it is clear which hunks are meant, and whether they are in view. If not, shows where they are. */
async function isClear(edits: AppliedEdits, isAll: boolean, thread: Thread | undefined): Promise<boolean> {
  const hunks = subjectOf(edits, isAll, thread);
  const isHere = thread !== undefined && isInView(thread);
  if (hunks.length === 0 && thread && !isHere) await bringIntoView(thread);
  if (hunks.length === 0) return false;
  if ((isAll || hunks.length === 1) && (isHere || hunks.some(isVisible))) return true;
  await focusEditor();
  await goOn(edits, 1);
  return false;
}

/** What a command without an argument is about. */
function subjectOf(edits: AppliedEdits, isAll: boolean, thread: Thread | undefined): readonly AnswerHunk[] {
  const hunk = atCursor(edits);
  if (hunk) return isAll ? edits.openOf(hunk.answer) : [hunk];
  const ofThread = thread?.lastAnswer && isInView(thread) ? edits.openOf(thread.lastAnswer) : [];
  const document = window.activeTextEditor?.document;
  return ofThread.length > 0 || !document ? ofThread : edits.openIn(document);
}

function allOf(edits: AppliedEdits, hunks: readonly AnswerHunk[]): readonly AnswerHunk[] {
  const answers = new Set(hunks.map(({ answer }) => answer));
  return edits.open.filter(({ answer }) => answers.has(answer));
}

function atCursor(edits: AppliedEdits): AnswerHunk | undefined {
  const editor = window.activeTextEditor;
  return editor && hunkAt(edits.openIn(editor.document), editor.selection.active.line, editor.document.lineCount);
}

function isVisible({ document, lines }: AnswerHunk): boolean {
  const range = rangeOf(document, lines);
  const editor = window.activeTextEditor;
  return editor?.document === document && editor.visibleRanges.some((visible) => visible.intersection(range));
}

/** Moves the cursor to the next or previous hunk from another or from the cursor, if need be in another document. */
async function goOn(edits: AppliedEdits, step: 1 | -1, from?: AnswerHunk): Promise<void> {
  const { document, selection } = window.activeTextEditor ?? {};
  const target = hunkFrom<AnswerHunk>(
    edits.open,
    step,
    from ?? atCursor(edits) ?? { document, line: selection?.active.line ?? 0 },
  );
  if (!target) return;
  const { start } = target.lines;
  const editor = await editorOf(target);
  if (!editor) return;
  const place = rangeOf(target.document, { start, end: start + 1 }).start;
  editor.selection = new Selection(place, place);
  editor.revealRange(editor.selection, TextEditorRevealType.InCenterIfOutsideViewport);
}

async function editorOf({ document, lines: { start } }: AnswerHunk): Promise<TextEditor | undefined> {
  if (window.activeTextEditor?.document !== document) {
    await showForThreads(document.uri, new Selection(start, 0, start, 0));
  }
  const editor = window.activeTextEditor;
  return editor?.document === document ? editor : undefined;
}
