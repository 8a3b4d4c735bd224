import { Selection, type TextDocument, window } from "vscode";
import type { LineRange } from "../text/lineRange.ts";
import { targetLines } from "./targetLines.ts";

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
