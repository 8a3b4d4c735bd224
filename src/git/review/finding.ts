import type { LineRange } from "../../text/lineRange.ts";

/** What a finding is about. */
export type FindingKind = "bug" | "improvement";

/** How bad it is. */
export type Severity = "high" | "medium" | "low";

/** A finding as the model wrote it. Nothing in it is checked yet. */
export interface ReportedFinding {
  readonly file: string;
  /** The first and last line, from 1, if it names any. */
  readonly lines: { readonly first: number; readonly last: number } | undefined;
  /** The line of code that it is about, if it quotes one. */
  readonly quote: string;
  readonly kind: FindingKind;
  readonly severity: Severity;
  readonly title: string;
  readonly text: string;
}

/** A finding about lines that are in the working file. */
export interface PlacedFinding extends ReportedFinding {
  /** The path in the repository. */
  readonly path: string;
  /** Its lines in the working file. */
  readonly place: LineRange;
}
