import { type FileChange, type Files, isSame, utf8In } from "./fileChange.ts";
import { mergeText } from "./mergeText.ts";
import { type ProposedFile, proposedFiles } from "./proposedFiles.ts";
import type { RefusalKind } from "./refusalTexts.ts";

/** What became of an edit, or of a file of it. */
export type EditState = "proposed" | "skipped" | "applied" | "accepted" | "undone";

/** A file of an edit, as it was written or can be now, and what became of it. */
export interface FileState {
  readonly file: ProposedFile;
  /** Why it cannot be applied now. */
  readonly blockedBy?: RefusalKind;
  /** `notUndone`: it stayed when the edit was undone, because it was changed after the edit was applied. */
  readonly state: EditState | "notUndone";
  /** Whether the file is not as the edit, or undoing it, left it. */
  readonly isChanged: boolean;
}

/** An edit as it is stored. */
interface StoredEdit {
  readonly state: EditState;
  readonly proposed: readonly FileChange[];
  /** The positions of the files that the user skips. */
  readonly skipped: ReadonlySet<number>;
  /** What was written. */
  readonly written: readonly FileChange[];
}

/** Whether nothing of an edit is in a file. */
export function isUnwritten(state: FileState["state"]): boolean {
  return state === "proposed" || state === "skipped" || state === "undone";
}

/** What became of each file of an edit. */
export function fileStates(
  { state, proposed, skipped, written }: StoredEdit,
  files: Pick<Files, "read">,
): Promise<readonly FileState[]> {
  const writtenFiles = proposedFiles(written);
  return Promise.all(
    proposedFiles(proposed).map(async (file, index) => {
      const own = writtenFiles.find(({ uri }) => uri === file.uri);
      const isNotUndone = state === "undone" && own?.changes.some(({ stays }) => stays);
      const now = !own ? "proposed" : isNotUndone ? "notUndone" : state;
      const isOut = isUnwritten(now);
      // What cannot be read any more is refused before anything is written.
      const merged = own && !isOut ? { file: own } : await mergeFile(file, files).catch(() => ({ file }));
      const isChanged = await hasChanged(own ?? file, isOut ? "before" : "after", files);
      return { ...merged, state: isOut && skipped.has(index) ? "skipped" : now, isChanged };
    }),
  );
}

async function hasChanged(
  { changes }: ProposedFile,
  side: "before" | "after",
  { read }: Pick<Files, "read">,
): Promise<boolean> {
  try {
    for (const change of changes) if (!isSame(await read(change.uri), change[side])) return true;
    return false;
  } catch {
    // It cannot be read any more.
    return true;
  }
}

/** Merges the change of a file with what has become of the file since the answer. */
async function mergeFile(
  file: ProposedFile,
  { read }: Pick<Files, "read">,
): Promise<Pick<FileState, "file" | "blockedBy">> {
  const [change, target] = file.changes;
  if (!change || (target && (await read(target.uri)) !== undefined)) return { file, blockedBy: "exists" };
  const current = await read(change.uri);
  if (isSame(current, file.before)) return { file };
  if (file.before === undefined) return { file, blockedBy: "exists" };
  if (current === undefined) return { file, blockedBy: "unknownFile" };
  if (file.after === undefined) return { file, blockedBy: "changedSince" };
  const [base, wanted, now] = [file.before, file.after, current].map(utf8In);
  if (base === undefined || wanted === undefined || now === undefined) return { file, blockedBy: "encoding" };
  const text = mergeText(base, wanted, now);
  if (text === undefined) return { file, blockedBy: "changedSince" };
  const after = new TextEncoder().encode(text);
  const [moved, own] = [target && { ...target, after }, { ...change, before: current }];
  return { file: proposedFiles(moved ? [own, moved] : [{ ...own, after }])[0] ?? file };
}
