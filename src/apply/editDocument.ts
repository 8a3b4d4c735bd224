import { EndOfLine, Range, type TextDocument, TextEdit, Uri, workspace, WorkspaceEdit } from "vscode";
import type { LineEdit } from "../edits/types.ts";
import { UserError } from "../failures/userError.ts";
import type { ChangedFile } from "../problems/errorWatch.ts";
import { withHunks } from "../text/lineHunks.ts";
import { replaceLines } from "../text/lineRange.ts";
import { splitLines } from "../text/lines.ts";
import { changedLines, type DiskChange, newUriOf, textOf } from "./diskChange.ts";

/** The line ending of a document. */
export function eolOf({ eol }: TextDocument): string {
  return eol === EndOfLine.CRLF ? "\r\n" : "\n";
}

/** The lines of a document with these edits applied, which are in order. */
export function withEdits(document: TextDocument, edits: readonly LineEdit[]): readonly string[] {
  return withHunks(splitLines(document.getText()), edits);
}

/** Maximum wait for a document to change after VS Code reported that it did, in milliseconds. */
const changeTimeout = 5_000;

/**
 * Replaces whole lines of a document, ordered and without overlaps, in one undo step, and waits until the document has
 * changed, because `applyEdit` can resolve before that (seen in VS Code 1.139). Throws if it cannot be edited, or `changed`
 * if it has changed in the meantime.
 */
export async function replace(document: TextDocument, hunks: readonly LineEdit[], changed: UserError): Promise<void> {
  const { version } = document;
  const eol = eolOf(document);
  const edits = hunks.map((hunk) => {
    const { range, text } = replaceLines(document, hunk, hunk.lines, eol);
    const { start, end } = range;
    return TextEdit.replace(new Range(start.line, start.character, end.line, end.character), text);
  });
  const edit = new WorkspaceEdit();
  edit.set(document.uri, edits);
  const replaced = withEdits(document, hunks).join(eol);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const listener = workspace.onDidChangeTextDocument((event) => {
    if (event.document === document && document.getText() === replaced) resolve(true);
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    const isTaken = await workspace.applyEdit(edit);
    timer = setTimeout(resolve, changeTimeout, false);
    if (isTaken && (await promise)) return;
  } finally {
    clearTimeout(timer);
    listener.dispose();
  }
  throw document.version === version ? new UserError("notEditable") : changed;
}

/** The URI of a file after its change. */
export function uriOf(change: DiskChange): Uri {
  return Uri.parse(newUriOf(change), true);
}

/** A file as it was written, to be watched for errors. */
export function changedFile(change: DiskChange): ChangedFile {
  const lines = changedLines(change).map(({ newStart, newEnd }) => ({ start: newStart, end: newEnd }));
  return { uri: uriOf(change), lines: () => lines, text: textOf(change.after) };
}
