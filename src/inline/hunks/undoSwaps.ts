import type { TextDocument } from "vscode";
import { UserError } from "../../failures/userError.ts";
import { allTexts } from "../documentCode.ts";
import { locate } from "../locate.ts";
import type { OpenHunk } from "./appliedEdits.ts";
import type { HunkSwap } from "./hunkTracker.ts";

/** What puts back the lines from before hunks of one document. */
export function undoSwaps(document: TextDocument, hunks: readonly OpenHunk[]): readonly HunkSwap[] {
  const all = allTexts(document);
  const swaps = hunks
    .map(({ hunk, answer }): HunkSwap => {
      const location = locate(all, hunk.after, hunk.lines, hunk.wasUnique);
      if (location.type !== "found") throw new UserError("editChanged", { subject: answer.id });
      return { hunk, range: location.lines, lines: hunk.before, decision: "undone" };
    })
    .toSorted((one, other) => one.range.start - other.range.start || one.range.end - other.range.end);
  for (const [index, { range }] of swaps.entries()) {
    const next = swaps[index + 1];
    const isInside = next !== undefined && next.range.start < range.end;
    if (isInside) throw new UserError("editChanged", { subject: hunks[0]?.answer.id ?? "" });
  }
  return swaps;
}
