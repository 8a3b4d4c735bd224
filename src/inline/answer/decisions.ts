import { type AppliedHunk, type HunkState, isUndecided } from "../../apply/hunks.ts";

/** The state of the change of a complete answer; `done` while nothing of it is in the document. */
export type ChangeProgress =
  | "done"
  | "applied" // at least one hunk is neither accepted nor undone
  | "accepted"
  | "partlyAccepted"; // accepted, except for hunks that were undone

/** The state of a change with these hunks; there are none if it is not applied. */
export function progressOf(hunks: readonly Pick<AppliedHunk, "state">[]): ChangeProgress {
  if (hunks.some(isUndecided)) return "applied";
  const states = hunks.map(({ state }) => state);
  if (!states.includes("accepted")) return "done";
  return states.includes("undone") ? "partlyAccepted" : "accepted";
}

/** Maximum number of hunks that are listed. */
const maxHunks = 30;

const words: Record<HunkState, string> = {
  open: "applied",
  accepted: "kept",
  undone: "undone",
  changed: "applied, and edited by me since",
};

const whole: Record<HunkState, string> = {
  open: "I applied",
  accepted: "I applied",
  undone: "I undid",
  changed: "I applied, and then edited,",
};

/** What the user did with an answer's change, for the model; empty if it was not applied. The lines are those of the current file. */
export function outcomeOf(hunks: readonly Pick<AppliedHunk, "state" | "lines">[]): string {
  const [first] = hunks;
  if (first === undefined) return "";
  if (hunks.every(({ state }) => state === first.state)) return `${whole[first.state]} the change of your last answer.`;
  const items = hunks.slice(0, maxHunks).map(({ state, lines: { start, end } }) => {
    const position = end - start > 1 ? `lines ${start + 1} to ${end}` : `line ${start + 1}`;
    return `- ${words[state]}: the change at ${position} of the file as it is now`;
  });
  return `What I did with the change of your last answer:\n${items.join("\n")}`;
}
