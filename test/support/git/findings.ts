import type { LocatedFinding } from "../../../src/git/review/locateFindings.ts";
import type { ReportedFinding } from "../../../src/git/review/readFindings.ts";

/** A finding as the model reports it. */
export const reported: ReportedFinding = {
  file: "a.ts",
  lines: undefined,
  quote: "",
  kind: "bug",
  severity: "high",
  title: "Wrong",
  text: "It is.",
};

/** This finding at lines of a file, from zero. */
export function placedAt(path: string, ...lines: readonly number[]): readonly LocatedFinding[] {
  return lines.map((start) => ({ ...reported, path, lineRange: { start, end: start + 1 }, code: "" }));
}
