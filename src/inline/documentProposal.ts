import { UserError } from "../failures/userError.ts";
import type { Answer } from "./answer.ts";
import { allTexts, pathOf } from "./documentCode.ts";
import { hasEditBlock, onlyBlock } from "./editBlock.ts";
import { locate, locateOrTracked } from "./locate.ts";
import { type EditSubject, propose } from "./proposal.ts";
import { type Proposal, showChange } from "./shownChange.ts";
import type { CodeTarget } from "./codeTarget.ts";

type AskedAnswer = Pick<Answer, "text" | "code" | "wasUnique">;

/** Reads what an answer proposes for the current text of its document. */
export function readProposal(target: CodeTarget, answer: AskedAnswer, source = answer.text): Proposal {
  if (!target.canEdit) return { edit: { type: "none", code: onlyBlock(source) }, source, shown: undefined };
  const { text, code, wasUnique } = answer;
  const { lines } = subjectOf(target);
  const subject = subjectOf({ ...target, lines: locateOrTracked(lines, code, target.lines, wasUnique) });
  const edit = propose(source, subject);
  if (edit.type !== "change") return { edit, source, shown: undefined };
  const hasEdits = source === text || propose(text, subject).type !== "none";
  return { edit, source, shown: showChange(hasEdits ? text : source, subject, edit.hunks) };
}

/**
 * The same for an answer that was read before. Only the code that the model has read may be replaced as a whole; other
 * edits find their places by their old lines.
 */
export function readAgain(target: CodeTarget, answer: Answer): Proposal {
  const { code, wasUnique } = answer;
  const { source } = answer.proposal;
  if (hasEditBlock(source) && locate(allTexts(target.document), code, target.lines, wasUnique).type !== "found") {
    throw new UserError("codeChanged", { subject: answer.id });
  }
  return readProposal(target, answer, source);
}

/** The document of a target as answers may change it. */
export function subjectOf({ document, lines, scope }: Pick<CodeTarget, "document" | "lines" | "scope">): EditSubject {
  return { path: pathOf(document), lines: allTexts(document), asked: lines, isCursor: scope === "cursor" };
}
