import { askAgain, secondRequest } from "../../edits/askAgain.ts";
import type { Operation } from "../../edits/read/operations.ts";
import { repairPrompt } from "../../edits/repairPrompt.ts";
import type { EditProblem } from "../../edits/resolveEdits.ts";
import type { ChatRequest, Gateway } from "../../gateway/types.ts";
import { estimateTokens } from "../../text/estimateTokens.ts";
import type { LineRange } from "../../text/lineRange.ts";
import { maskLines } from "../../text/maskSecrets.ts";
import { shownText } from "../../text/shownLines.ts";
import type { Proposal } from "./answer.ts";
import type { Misfit } from "./proposal.ts";

/** What of its document a question has shown. */
export interface ShownLines {
  readonly path: string;
  /** All lines of the document as the model read them. */
  readonly lines: readonly string[];
  readonly shown: LineRange;
}

/** What a second attempt needs. */
export interface RepairTurn {
  readonly gateway: Pick<Gateway, "ask">;
  /** The request of the answer. */
  readonly request: ChatRequest;
  readonly subject: ShownLines;
  /** Maximum tokens of a request. */
  readonly budget: number;
  readonly signal: AbortSignal;
  /** Called before it is asked. */
  readonly begin: () => void;
  /** Finds what the second answer proposes. */
  readonly read: (text: string) => Proposal;
  readonly report: (error: unknown) => void;
}

/** Edits that change another file than that of the thread, which asking once more does not mend. */
const elsewhere: ReadonlySet<Misfit["kind"]> = new Set(["otherFile", "unknownFile", "exists"]);

/** Asks once more for edits that do not fit. `undefined` if that cannot help, fails, is stopped, or does not help. */
export async function repair(
  { gateway, request, subject, budget, signal, begin, read, report }: RepairTurn,
  { reading, edit }: Proposal,
): Promise<Proposal | undefined> {
  if (edit.type !== "misfit") return undefined;
  const prompt = secondPrompt(reading.operations, subject, edit.misfits);
  if (prompt === undefined) return undefined;
  const second = secondRequest(request, reading.text, prompt);
  const tokens = second.messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  if (tokens > budget) return undefined;
  begin();
  let text: string | undefined;
  try {
    text = await askAgain(gateway, second, signal);
  } catch (error) {
    report(error);
  }
  if (text === undefined) return undefined;
  const proposal = read(text);
  return proposal.edit.type === "change" ? proposal : undefined;
}

/**
 * Asks for edits that do not fit once more. `undefined` if that would not help. Of the lines of the document, only those
 * are quoted that the question has `shown`, and as it has shown them: without secrets.
 */
export function secondPrompt(
  operations: readonly Operation[],
  { path, lines, shown }: ShownLines,
  misfits: readonly Misfit[],
): string | undefined {
  if (!misfits.every(isHere)) return undefined;
  const quoted = { start: shown.start, lines: maskLines(lines).slice(shown.start, shown.end) };
  return repairPrompt(operations, new Map([[path, shownText([quoted])]]), misfits);
}

function isHere(misfit: Misfit): misfit is EditProblem {
  return !elsewhere.has(misfit.kind);
}
