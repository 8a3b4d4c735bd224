import type { FileChange } from "./fileChange.ts";
import { diffLines, type LineChange } from "../text/diffLines.ts";
import { splitLines } from "../text/lines.ts";

/** A file of an edit as the user sees it: a renamed one is one file. */
export interface ProposedFile {
  readonly kind: "update" | "create" | "delete" | "rename";
  /** The URI of the file, of a renamed one before. */
  readonly uri: string;
  readonly newUri?: string;
  readonly before?: Uint8Array | undefined;
  readonly after?: Uint8Array | undefined;
  /** Numbers of lines. */
  readonly added: number;
  readonly removed: number;
  readonly changes: readonly FileChange[];
}

/** The files of a change, in its order. */
export function proposedFiles(changes: readonly FileChange[]): readonly ProposedFile[] {
  const renamed = new Map(
    changes.flatMap((change) => (change.renamedFrom === undefined ? [] : [[change.renamedFrom, change] as const])),
  );
  return changes.flatMap((change): readonly ProposedFile[] => {
    if (change.renamedFrom !== undefined) return [];
    const target = renamed.get(change.uri);
    const after = target ? target.after : change.after;
    const lines = changedLines({ before: change.before, after });
    const added = lines.reduce((sum, { newStart, newEnd }) => sum + newEnd - newStart, 0);
    const removed = lines.reduce((sum, { start, end }) => sum + end - start, 0);
    const file = { uri: change.uri, before: change.before, after, added, removed };
    if (target) return [{ ...file, kind: "rename", newUri: target.uri, changes: [change, target] }];
    const kind = change.before === undefined ? "create" : change.after === undefined ? "delete" : "update";
    return [{ ...file, kind, changes: [change] }];
  });
}

/** The lines that a file changes, at their positions before and after. */
export function changedLines({ before, after }: Pick<ProposedFile, "before" | "after">): readonly LineChange[] {
  return diffLines(linesOf(before), linesOf(after));
}

/** The lines of a file; none for no file and an empty one. */
function linesOf(bytes: Uint8Array | undefined): readonly string[] {
  const text = textOf(bytes);
  return text === "" ? [] : splitLines(text.replace(/(?:\r\n|\r|\n)$/, ""));
}

/** The text of a file, without its byte order mark; empty for no file. */
export function textOf(bytes: Uint8Array | undefined): string {
  return bytes ? new TextDecoder().decode(bytes) : "";
}
