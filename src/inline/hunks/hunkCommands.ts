import { Selection, TextEditorRevealType, window } from "vscode";
import { rangeOf, showForThreads } from "../ask/document.ts";
import type { InlineThread } from "../thread/inlineThread.ts";
import type { ChangeCommand } from "../thread/threadComments.ts";
import { bringIntoView, focusEditor, isInView } from "../thread/threadInView.ts";
import type { AppliedEdits, AnswerHunk } from "./appliedEdits.ts";
import { hunkAt, hunkFrom } from "./hunkTracker.ts";

/**
 * Runs a command on applied hunks. Its argument is the id of a hunk or an answer; anything else does nothing. Without an
 * argument, the command is about the hunk at the cursor, or else about the conversation or the hunks in view. Where it is
 * unclear which hunk is meant, the next one is shown instead.
 */
export async function runOnHunks(
  edits: AppliedEdits,
  command: ChangeCommand,
  argument: unknown,
  thread: InlineThread | undefined,
): Promise<void> {
  const given = edits.open.filter(({ id, answer }) => id === argument || answer.id === argument);
  if (argument !== undefined && given.length === 0) return;
  if (command === "nextChange" || command === "previousChange") {
    await focusEditor();
    await goOn(edits, command === "nextChange" ? 1 : -1, given[0]);
    return;
  }
  const isAll = command === "keepAll" || command === "undoAll";
  const isGiven = ({ answer }: AnswerHunk): boolean => given.some((hunk) => hunk.answer === answer);
  const named = isAll ? edits.open.filter(isGiven) : given;
  const hunks = argument === undefined ? await meantHunks(edits, isAll, thread) : named;
  if (hunks.length === 0) return;
  await focusEditor();
  if (command === "keep" || command === "keepAll") edits.keep(hunks);
  else await edits.undo(hunks);
  const document = window.activeTextEditor?.document;
  if (argument === undefined && document && edits.openIn(document).length > 0) await goOn(edits, 1);
}

/** The hunks that a command without an argument is about. If that is unclear, or they are not in view, shows where they are. */
async function meantHunks(
  edits: AppliedEdits,
  isAll: boolean,
  thread: InlineThread | undefined,
): Promise<readonly AnswerHunk[]> {
  const hunk = atCursor(edits);
  if (hunk) return isAll ? edits.openOf(hunk.answer) : [hunk];
  const isHere = thread !== undefined && isInView(thread);
  const ofThread = isHere && thread.lastAnswer ? edits.openOf(thread.lastAnswer) : [];
  const document = window.activeTextEditor?.document;
  const hunks = ofThread.length > 0 || !document ? ofThread : edits.openIn(document);
  if (hunks.length === 0) {
    if (thread && !isHere) await bringIntoView(thread);
    return [];
  }
  if ((isAll || hunks.length === 1) && (isHere || hunks.some(isInView))) return hunks;
  await focusEditor();
  await goOn(edits, 1);
  return [];
}

function atCursor(edits: AppliedEdits): AnswerHunk | undefined {
  const editor = window.activeTextEditor;
  return editor && hunkAt(edits.openIn(editor.document), editor.selection.active.line, editor.document.lineCount);
}

/** Moves the cursor to the next or previous hunk from another or from the cursor, if need be in another document. */
async function goOn(edits: AppliedEdits, step: 1 | -1, from?: AnswerHunk): Promise<void> {
  const { document, selection: { active } = {} } = window.activeTextEditor ?? {};
  const start = from ?? atCursor(edits) ?? { document, line: active?.line ?? 0 };
  const target = hunkFrom<AnswerHunk>(edits.open, step, start);
  if (!target) return;
  const { document: wanted, lines } = target;
  const { start: place } = rangeOf(wanted, { start: lines.start, end: lines.start + 1 });
  const selection = new Selection(place, place);
  if (document !== wanted) await showForThreads(wanted.uri, selection);
  const editor = window.activeTextEditor;
  if (editor?.document !== wanted) return;
  editor.selection = selection;
  editor.revealRange(selection, TextEditorRevealType.InCenterIfOutsideViewport);
}
