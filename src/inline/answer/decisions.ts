import { isFilled } from "../../text/lines.ts";
import type { ProposedHunk } from "./proposal.ts";

/** The user's decision on a hunk. */
export type Decision = "open" | "accepted" | "undone";

/** The progress of an answer. From `done` on it is complete. */
export type AnswerProgress =
  | "asking"
  | "thinking"
  | "answering"
  | "adjusting" // complete, but its edit had no place: a second attempt is under way
  | "stopped"
  | "failed"
  | "cutOff"
  | "done"
  | "applied" // at least one hunk is neither accepted nor undone
  | "accepted"
  | "partlyAccepted"; // accepted, except for hunks that were undone

/** Whether an answer has ended by itself. */
export const isComplete: ReadonlySet<AnswerProgress> = new Set(["done", "applied", "accepted", "partlyAccepted"]);

export const isUnderWay: ReadonlySet<AnswerProgress> = new Set(["asking", "thinking", "answering", "adjusting"]);

/** The progress of a complete answer whose hunks were decided like this; of none if its change is not applied. */
export function progressAfter(decisions: readonly Decision[]): AnswerProgress {
  if (decisions.includes("open")) return "applied";
  if (!decisions.includes("accepted")) return "done";
  return decisions.includes("undone") ? "partlyAccepted" : "accepted";
}

/** Maximum number of hunks that are listed, and of characters of the line that names each. */
const mostHunks = 30;
const longestLine = 200;

const words: Record<Decision, string> = { open: "applied", accepted: "kept", undone: "undone" };

/**
 * What became of an answer's change, as the model is told with the next question. Empty if it was not applied. `mask` removes
 * secrets from lines.
 */
export function outcomeOf(
  hunks: readonly ProposedHunk[],
  decisions: readonly Decision[],
  mask: (line: string) => string,
): string {
  const [first] = decisions;
  if (first === undefined) return "";
  if (decisions.every((decision) => decision === first)) {
    return first === "undone" ? "I undid the change of your last answer." : "I applied the change of your last answer.";
  }
  const parts = "I kept only parts of the change of your last answer";
  if (hunks.length !== decisions.length) return `${parts}; the code below is as it is now.`;
  const items = hunks.slice(0, mostHunks).map(({ before, lines }, index) => {
    const line = [...lines, ...before].find(isFilled) ?? "";
    const verb = lines.length > 0 ? "the lines from" : "the removal of the lines from";
    return `- ${words[decisions[index] ?? "open"]}: ${verb} \`${mask(line.trim()).slice(0, longestLine)}\``;
  });
  return `${parts}:\n${items.join("\n")}`;
}

/** The hunks of a change that were not undone, or none if it is unknown which those are. */
export function hunksLeft(hunks: readonly ProposedHunk[], decisions: readonly Decision[]): readonly ProposedHunk[] {
  if (!decisions.includes("undone")) return hunks;
  return hunks.length === decisions.length ? hunks.filter((_, index) => decisions[index] !== "undone") : [];
}
