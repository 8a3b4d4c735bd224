import type { StoredChange } from "./changeStore.ts";
import { type FileAccess, type DiskChange, isSame, utf8In, writesOf } from "./diskChange.ts";
import { mergeText } from "./mergeText.ts";
import type { RefusalKind } from "./refusalTexts.ts";

/** The state of an edit, or of one of its files. */
export type EditState = "proposed" | "skipped" | "applied" | "accepted" | "undone";

/** A file of an edit, as it was written or can be now, with its state. */
export interface FileState {
  readonly file: DiskChange;
  /** Why it cannot be applied now. */
  readonly blockedBy?: RefusalKind;
  /** `notUndone`: Undo skipped it, because it was changed after the edit was applied. */
  readonly state: EditState | "notUndone";
  /** Whether the file has changed since Apply or Undo wrote it. */
  readonly isChanged: boolean;
}

/** Whether an edit has written nothing to a file, or nothing of it remains there. */
export function isUnwritten(state: FileState["state"]): boolean {
  return state === "proposed" || state === "skipped" || state === "undone";
}

/** The state of each file of an edit. `state` is that of the edit as a whole, `written` what it has written. */
export function fileStates(
  state: EditState,
  { files, skipped }: Pick<StoredChange, "files" | "skipped">,
  written: readonly DiskChange[],
  access: Pick<FileAccess, "read">,
): Promise<readonly FileState[]> {
  return Promise.all(
    files.map(async (file, index) => {
      const own = written.find(({ uri }) => uri === file.uri);
      const isNotUndone = state === "undone" && own?.stays;
      const now = !own ? "proposed" : own.isAccepted ? "accepted" : isNotUndone ? "notUndone" : state;
      const isAbsent = isUnwritten(now);
      // A file that can no longer be read is refused before anything is written.
      const merged = own && !isAbsent ? { file: own } : await mergeFile(file, access).catch(() => ({ file }));
      const isChanged = await hasChanged(own ?? file, isAbsent ? "before" : "after", access);
      return { ...merged, state: isAbsent && skipped.includes(index) ? "skipped" : now, isChanged };
    }),
  );
}

/** Whether a file differs from one side of a change. */
export async function hasChanged(
  change: DiskChange,
  side: "before" | "after",
  { read }: Pick<FileAccess, "read">,
): Promise<boolean> {
  try {
    for (const write of writesOf([change])) if (!isSame(await read(write.uri), write[side])) return true;
    return false;
  } catch {
    // It can no longer be read.
    return true;
  }
}

/** Merges the change of a file with the changes of the file since the answer. */
async function mergeFile(
  file: DiskChange,
  { read }: Pick<FileAccess, "read">,
): Promise<Pick<FileState, "file" | "blockedBy">> {
  const { uri, newUri, before, after } = file;
  if (newUri !== undefined && (await read(newUri)) !== undefined) return { file, blockedBy: "exists" };
  const current = await read(uri);
  if (isSame(current, before)) return { file };
  if (before === undefined) return { file, blockedBy: "exists" };
  if (current === undefined) return { file, blockedBy: "unknownFile" };
  if (after === undefined) return { file, blockedBy: "changedSince" };
  const [base, wanted, now] = [before, after, current].map(utf8In);
  if (base === undefined || wanted === undefined || now === undefined) return { file, blockedBy: "notText" };
  const text = mergeText(base, wanted, now);
  if (text === undefined) return { file, blockedBy: "changedSince" };
  return { file: { ...file, before: current, after: new TextEncoder().encode(text) } };
}
