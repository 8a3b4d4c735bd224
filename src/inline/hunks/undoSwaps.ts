import type { TextDocument } from "vscode";
import { UserError } from "../../failures/userError.ts";
import { allTexts } from "../documentCode.ts";
import { locate } from "../locate.ts";
import type { HunkSwap } from "./hunkTracker.ts";
import type { TrackedHunk } from "./trackedHunk.ts";

/** What puts back the lines from before hunks of one document. `subject`: the id of the answer for the failure. */
export function undoSwaps(document: TextDocument, hunks: readonly TrackedHunk[], subject: string): readonly HunkSwap[] {
  const all = allTexts(document);
  const swaps = hunks
    .map((hunk): HunkSwap => {
      const location = locate(all, hunk.after, hunk.lines, hunk.wasUnique);
      if (location.type !== "found") throw new UserError("editChanged", { subject });
      return { hunk, range: location.lines, lines: hunk.before, decision: "undone" };
    })
    .toSorted((one, other) => one.range.start - other.range.start || one.range.end - other.range.end);
  for (const [index, { range }] of swaps.entries()) {
    const next = swaps[index + 1];
    if (next && next.range.start < range.end) throw new UserError("editChanged", { subject });
  }
  return swaps;
}
