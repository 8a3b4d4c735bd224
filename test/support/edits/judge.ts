import type { Resolution } from "../../../src/edits/resolveEdits.ts";
import type { Case } from "./case.ts";
import { fileText, withHunks } from "./edit.ts";

/** What became of an answer. "silent" is a refusal without a problem to show. */
export type Outcome = "landed" | "refused" | "silent" | "wrong";

/** Compares what was resolved with what is right. Anything that is neither right nor untouched is wrong. */
export function judge(tested: Case, { changes, problems }: Resolution): Outcome {
  const { edit, files, expectation } = tested;
  if (changes.some(({ path, kind, newPath }) => path !== edit.path || kind !== "update" || newPath !== undefined))
    return "wrong";
  if (changes.length > 1) return "wrong";
  const before = files.get(edit.path) ?? "";
  const [change] = changes;
  const text = change?.text ?? before;
  if (change && !isConsistent(before, change)) return "wrong";
  const right = fileText(withHunks(edit.lines, edit.hunks), edit.form);
  if (text === right && right !== before && problems.length === 0)
    return expectation === "refused" ? "wrong" : "landed";
  if (text === before) return problems.length === 0 ? "silent" : "refused";
  return "wrong";
}

/** Whether an outcome is as expected. */
export function isRight({ expectation }: Case, outcome: Outcome): boolean {
  if (outcome === "wrong" || expectation === "mayLand") return outcome !== "wrong";
  return outcome === (expectation === "lands" ? "landed" : "refused");
}

/** Whether the hunks, which are what the user sees, make the text, which is what is written. */
function isConsistent(before: string, { hunks, text }: Resolution["changes"][number]): boolean {
  const [old, now] = [plainLines(before), plainLines(text)];
  const made = withHunks(old, hunks);
  return made.length === now.length
    ? made.every((line, index) => line === now[index])
    : plainText(made) === plainText(now);
}

function plainLines(text: string): readonly string[] {
  return text
    .replace(/^\u{feff}/u, "")
    .replace(/\r?\n$/, "")
    .split(/\r?\n/);
}

/** An emptied file has one line for some and none for others. */
function plainText(lines: readonly string[]): string {
  return lines.join("\n").replace(/\n$/, "");
}
