import {
  EndOfLine,
  Position,
  Range,
  type TextDocument,
  TextEdit,
  type TextEditorEdit,
  window,
  WorkspaceEdit,
  workspace,
} from "vscode";
import type { LineHunk } from "../../edits/lineHunks.ts";
import { type LineSource, replaceLines } from "../replacement.ts";
import { stands } from "./trackedHunk.ts";

/** How to replace lines. */
export interface ReplaceOptions {
  /** Whether the editor undoes this together with the extension's change right before it. */
  readonly joinsUndo: boolean;
  /** Called while the document is exactly as it is after the replacement. */
  readonly whenDone: () => void;
}

/** Maximum wait for a document to change after VS Code reported that it did, in milliseconds. */
const patience = 5_000;

/**
 * Replaces whole lines of a document, ordered and without overlaps, in one undo step, and waits until the document has
 * changed. Returns `false` if it cannot be edited, or has changed in the meantime.
 */
export async function replaceHunks(
  document: TextDocument,
  hunks: readonly LineHunk[],
  { joinsUndo, whenDone }: ReplaceOptions,
): Promise<boolean> {
  const source = lineSource(document);
  const edits = hunks.map((hunk) => {
    const { start, end, text } = replaceLines(source, hunk, hunk.lines);
    return TextEdit.replace(
      new Range(new Position(start.line, start.character), new Position(end.line, end.character)),
      text,
    );
  });
  const change = changeTo(document, hunks, whenDone);
  try {
    return (await edit(document, edits, joinsUndo)) && (await change.isDone());
  } finally {
    change.dispose();
  }
}

/**
 * Edits through an editor where there is one: only there can a later change join the same undo step
 * (`undoStopBefore`). Editors can be read-only without a sign of it, such as a side of a diff.
 */
async function edit(document: TextDocument, edits: readonly TextEdit[], joinsUndo: boolean): Promise<boolean> {
  const { version } = document;
  const visible = window.visibleTextEditors.filter((shown) => shown.document === document);
  const editor = visible.find((shown) => shown === window.activeTextEditor) ?? visible[0];
  const replaceAll = (builder: TextEditorEdit): void => {
    for (const { range, newText } of edits) builder.replace(range, newText);
  };
  // An editor that has just been closed rejects.
  await editor?.edit(replaceAll, { undoStopBefore: !joinsUndo, undoStopAfter: false }).then(undefined, () => false);
  if (document.version !== version) return true;
  // This one is refused if the document has changed after all, which VS Code checks by its version.
  const change = new WorkspaceEdit();
  change.set(document.uri, [...edits]);
  return await workspace.applyEdit(change);
}

/** Waits for the document to have the new lines: `applyEdit` can resolve before that (seen in VS Code 1.139). */
function changeTo(
  document: TextDocument,
  hunks: readonly LineHunk[],
  whenDone: () => void,
): { readonly isDone: () => Promise<boolean>; readonly dispose: () => void } {
  let delta = 0;
  const placed = hunks.map(({ start, end, lines }) => {
    const place = { start: start + delta, lines };
    delta += lines.length - (end - start);
    return place;
  });
  const lineCount = document.lineCount + delta;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let timer: NodeJS.Timeout | undefined;
  const listener = workspace.onDidChangeTextDocument((event) => {
    if (event.document !== document || event.contentChanges.length === 0) return;
    if (document.lineCount !== lineCount || !placed.every(({ start, lines }) => stands(document, start, lines))) return;
    listener.dispose();
    whenDone();
    resolve(true);
  });
  return {
    isDone: () => {
      timer = setTimeout(resolve, patience, false);
      return promise;
    },
    dispose: () => {
      clearTimeout(timer);
      listener.dispose();
    },
  };
}

function lineSource(document: TextDocument): LineSource {
  return {
    lineCount: document.lineCount,
    eol: document.eol === EndOfLine.CRLF ? "\r\n" : "\n",
    lineLength: (line) => document.lineAt(line).text.length,
  };
}
