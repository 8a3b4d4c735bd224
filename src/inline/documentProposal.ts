import { UserError } from "../failures/userError.ts";
import type { Answer } from "./answer.ts";
import { allTexts, pathOf } from "./documentCode.ts";
import { onlyBlock } from "./editBlock.ts";
import { type EditSubject, propose } from "./proposal.ts";
import { type Proposal, showChange } from "./shownChange.ts";
import type { CodeTarget } from "./codeTarget.ts";

type AskedAnswer = Pick<Answer, "text" | "asked">;

/** Reads what an answer proposes for the current text of its document, whose lines are `all`. */
export function readProposal(
  target: CodeTarget,
  answer: AskedAnswer,
  source = answer.text,
  all = allTexts(target.document),
): Proposal {
  if (!target.canEdit) return { edit: { type: "none", code: onlyBlock(source) }, source, shown: undefined };
  const { text, asked } = answer;
  const subject = subjectOf({ ...target, lines: asked.locateOrTracked(all, target.lines) }, all);
  const edit = propose(source, subject);
  if (edit.type !== "change") return { edit, source, shown: undefined };
  const first = source === text ? edit : propose(text, subject);
  const [shown, ranges] = first.type === "none" ? [source, edit.ranges] : [text, first.ranges];
  return { edit, source, shown: showChange(shown, ranges, subject, edit.hunks) };
}

/**
 * The same for an answer that was read before. Only the code that the model has read may be replaced as a whole; other
 * edits find their places by their old lines.
 */
export function readAgain(target: CodeTarget, answer: Answer, all: readonly string[]): Proposal {
  const { edit, source } = answer.proposal;
  const hasReplacement = edit.type === "change" && edit.hasReplacement;
  if (hasReplacement && answer.asked.locate(all, target.lines).type !== "found") {
    throw new UserError("codeChanged", { subject: answer.id });
  }
  return readProposal(target, answer, source, all);
}

/** The document of a target as answers may change it. */
function subjectOf(
  { document, lines, scope }: Pick<CodeTarget, "document" | "lines" | "scope">,
  all = allTexts(document),
): EditSubject {
  return { path: pathOf(document), lines: all, asked: lines, isCursor: scope === "cursor" };
}
