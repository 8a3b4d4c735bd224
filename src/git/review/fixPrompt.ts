import type { ReportedFinding } from "./finding.ts";

/** Asks inline chat to fix what a review has found. `line` is where the code stands now, from 0. */
export function fixPrompt({ title, text }: Pick<ReportedFinding, "title" | "text">, line: number): string {
  return [
    `A review of the changes has found a problem at line ${line + 1}:`,
    title,
    ...(text === "" || text === title ? [] : [text]),
    "Fix it. Change only what the fix needs, and say in a sentence what was wrong. If it is no problem, say why.",
  ].join("\n\n");
}
