import type { Operation } from "../edits/operations.ts";
import { repairPrompt } from "../edits/repairPrompt.ts";
import type { EditProblem } from "../edits/resolveEdits.ts";
import type { ProposalProblem } from "./proposal.ts";

/** Problems with another file than that of the thread, which asking once more does not mend. */
const elsewhere: ReadonlySet<ProposalProblem["kind"]> = new Set(["otherFile", "unknownFile", "exists"]);

/**
 * Asks for the edits of an answer, which have these problems, once more. `undefined` if that would not help. `text` is that
 * of the document as far as the question quotes it.
 */
export function secondPrompt(
  operations: readonly Operation[],
  { path, text }: { readonly path: string; readonly text: string },
  problems: readonly ProposalProblem[],
): string | undefined {
  return problems.every(isHere) ? repairPrompt(operations, new Map([[path, text]]), problems) : undefined;
}

function isHere(problem: ProposalProblem): problem is EditProblem {
  return !elsewhere.has(problem.kind);
}
