import { isSame, type Files } from "../../apply/fileChange.ts";
import { mergeText } from "../../edits/change/mergeText.ts";
import { type ProposedFile, proposedFiles, utf8In } from "./proposedFiles.ts";
import type { RefusalKind } from "./resolveAnswer.ts";

/** A file of an edit as it can be applied now, or why it has to wait. */
export interface MergedFile {
  readonly file: ProposedFile;
  readonly waits?: RefusalKind;
}

/** Merges the change of a file with what has become of the file since the answer. */
export async function mergeFile(file: ProposedFile, { read }: Pick<Files, "read">): Promise<MergedFile> {
  const [change, target] = file.changes;
  if (!change || (target && (await read(target.uri)) !== undefined)) return { file, waits: "exists" };
  const current = await read(change.uri);
  if (isSame(current, file.before)) return { file };
  if (file.before === undefined) return { file, waits: "exists" };
  if (current === undefined) return { file, waits: "unknownFile" };
  if (file.after === undefined) return { file, waits: "changedSince" };
  const texts = [file.before, file.after, current].map(utf8In);
  const [base, wanted, own] = texts;
  if (base === undefined || wanted === undefined || own === undefined) return { file, waits: "encoding" };
  const text = mergeText(base, wanted, own);
  if (text === undefined) return { file, waits: "changedSince" };
  const after = new TextEncoder().encode(text);
  const changes = target
    ? [
        { ...change, before: current },
        { ...target, after },
      ]
    : [{ ...change, before: current, after }];
  return { file: proposedFiles(changes)[0] ?? file };
}
