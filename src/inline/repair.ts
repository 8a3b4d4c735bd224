import { askAgain, secondRequest } from "../edits/askAgain.ts";
import type { ChatRequest } from "../gateway/types.ts";
import { estimateTokens } from "../text/estimateTokens.ts";
import type { LineRange } from "../text/lineRange.ts";
import type { AnswerRun, AnswerServices } from "./answerServices.ts";
import { pathOf } from "./documentCode.ts";
import { readProposal } from "./documentProposal.ts";
import { secondPrompt } from "./secondPrompt.ts";
import type { Proposal } from "./shownChange.ts";

/** What a second attempt needs beside its services. */
export interface RepairTurn {
  readonly run: AnswerRun;
  /** The request of the answer, the lines that it quotes, and the most tokens that a request may have. */
  readonly request: ChatRequest;
  readonly shown: LineRange;
  readonly budget: number;
  readonly report: (error: unknown) => void;
}

/**
 * Asks once more for an edit that has no place, with the lines that the question has shown instead. `undefined` if that cannot help,
 * fails, is stopped, or does not help.
 */
export async function repair(
  { gateway }: Pick<AnswerServices, "gateway">,
  { run, request, shown, budget, report }: RepairTurn,
  { edit }: Proposal,
): Promise<Proposal | undefined> {
  const { answer, signal, refresh, now } = run;
  if (edit.type !== "problem") return undefined;
  const subject = { path: pathOf(now().document), lines: answer.asked.document, shown };
  const prompt = secondPrompt(edit.operations, subject, edit.problems);
  if (prompt === undefined) return undefined;
  const second = secondRequest(request, answer.text, prompt);
  const tokens = second.messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  if (tokens > budget) return undefined;
  answer.adjust();
  refresh();
  let text: string | undefined;
  try {
    text = await askAgain(gateway, second, signal);
  } catch (error) {
    report(error);
  }
  if (text === undefined) return undefined;
  const proposal = readProposal(now(), answer, text);
  return proposal.edit.type === "change" ? proposal : undefined;
}
