import { Answer } from "../../src/inline/answer/answer.ts";
import { readAnswer } from "../../src/inline/answer/proposal.ts";

/** A complete answer of inline chat without an edit. */
export function finishedAnswer(): Answer {
  const answer = new Answer({ shown: "", prompt: "" });
  const proposal = { reading: readAnswer("", ""), hunks: [], misfits: [], shown: undefined };
  answer.stage = { phase: "done", proposal };
  return answer;
}
