import { EndOfLine, Position, Range, type TextDocument, TextEdit, WorkspaceEdit, workspace } from "vscode";
import type { LineHunk } from "./lineHunks.ts";
import { type LineSource, replaceLines } from "../replacement.ts";
import { stands } from "./trackedHunk.ts";

/** Maximum wait for a document to change after VS Code reported that it did, in milliseconds. */
const patience = 5_000;

/**
 * Replaces whole lines of a document, ordered and without overlaps, in one undo step, and waits until the document has
 * changed: then, while it is exactly as it is after the replacement, `whenDone` is called. Returns `false` if it cannot be
 * edited, or has changed in the meantime.
 */
export async function replaceHunks(
  document: TextDocument,
  hunks: readonly LineHunk[],
  whenDone: () => void,
): Promise<boolean> {
  const source = lineSource(document);
  const edits = hunks.map((hunk) => {
    const { start, end, text } = replaceLines(source, hunk, hunk.lines);
    const range = new Range(new Position(start.line, start.character), new Position(end.line, end.character));
    return TextEdit.replace(range, text);
  });
  const edit = new WorkspaceEdit();
  edit.set(document.uri, edits);
  const change = changeTo(document, hunks, whenDone);
  try {
    return (await workspace.applyEdit(edit)) && (await change.isDone());
  } finally {
    change.dispose();
  }
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
