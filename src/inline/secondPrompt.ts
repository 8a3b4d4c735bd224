import type { Operation } from "../edits/read/operations.ts";
import { repairPrompt } from "../edits/repairPrompt.ts";
import type { EditProblem } from "../edits/resolveEdits.ts";
import type { LineRange } from "../text/lineRange.ts";
import { maskLines } from "../text/maskSecrets.ts";
import { shownText } from "../text/shownLines.ts";
import type { ProposalProblem } from "./proposal.ts";

/** Problems with another file than that of the thread, which asking once more does not mend. */
const elsewhere: ReadonlySet<ProposalProblem["kind"]> = new Set(["otherFile", "unknownFile", "exists"]);

/**
 * Asks for the edits of an answer, which have these problems, once more. `undefined` if that would not help. Of the lines of
 * the document, only those are quoted that the question has `shown`, and as it has shown them: without secrets.
 */
export function secondPrompt(
  operations: readonly Operation[],
  { path, lines, shown }: { readonly path: string; readonly lines: readonly string[]; readonly shown: LineRange },
  problems: readonly ProposalProblem[],
): string | undefined {
  if (!problems.every(isHere)) return undefined;
  const quoted = { start: shown.start, lines: maskLines(lines).slice(shown.start, shown.end) };
  return repairPrompt(operations, new Map([[path, shownText([quoted])]]), problems);
}

function isHere(problem: ProposalProblem): problem is EditProblem {
  return !elsewhere.has(problem.kind);
}
