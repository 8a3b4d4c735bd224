import type { Decision } from "./hunks/trackedHunk.ts";

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
  | "applied" // at least one hunk is neither kept nor undone
  | "kept"
  | "partlyKept"; // kept, except for hunks that were undone

/** Whether an answer has ended by itself. */
export const isComplete: ReadonlySet<AnswerProgress> = new Set(["done", "applied", "kept", "partlyKept"]);

export const isUnderWay: ReadonlySet<AnswerProgress> = new Set(["asking", "thinking", "answering", "adjusting"]);

/** The progress of a complete answer whose hunks were decided like this; of none if its change is not applied. */
export function progressAfter(decisions: readonly Decision[]): AnswerProgress {
  if (decisions.includes("open")) return "applied";
  if (!decisions.includes("kept")) return "done";
  return decisions.includes("undone") ? "partlyKept" : "kept";
}
