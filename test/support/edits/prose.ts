import type { Random } from "./random.ts";
import type { WrittenAnswer } from "./writeAnswer.ts";

const before = [
  "",
  "Sure, here is the change:",
  "I've updated the code as you asked. The `limit` is now checked first:",
  "There are two things to do:\n\n- read the value once, and\n- keep the result.\n\nHere is the edit.",
  "> make it faster\n\nThis is what I would change.",
  "## Plan\n\n1. Look at what calls this.\n2. Change only what has to change.\n\n## Edit",
] as const;

const after = [
  "",
  "This keeps the behavior for all other callers.",
  "Let me know if you also want tests for this!",
  "**Why:** the old code did more work than it had to.\n\n* No public name changes.\n* `isEnabled` is read once.",
  "To check it:\n\n```sh\nnpm test\n```",
  "| Before | After |\n| --- | --- |\n| slow | fast |",
] as const;

/** An edit with sentences before and after, as most answers have them. */
export function inProse(edit: string, random: Random): WrittenAnswer {
  const first = random.pick(before);
  const start = first === "" ? 0 : first.length + 2;
  const last = random.pick(after);
  const text = `${first}${first === "" ? "" : "\n\n"}${edit}${last === "" ? "" : `\n\n${last}`}`;
  return { text: text + (random.chance(0.5) ? "\n" : ""), start, end: start + edit.length };
}
