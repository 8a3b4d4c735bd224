import type { TargetScope } from "./codeTarget.ts";
import type { LineRange } from "../text/lineRange.ts";

/** The code that a question is about. Line numbers are zero-based. */
export interface CodeContext {
  /** Path relative to the workspace, by which answers name the file. */
  readonly path: string;
  /** The number of the cell in a notebook, from one. */
  readonly cell: number | undefined;
  readonly languageId: string;
  readonly lineCount: number;
  readonly lines: LineRange;
  readonly scope: TargetScope;
  /** First lines of the file's symbols, in order. */
  readonly outline: readonly number[];
  /** The selected text, if it is only a part of the lines. */
  readonly selected: string | undefined;
  /** The most severe first. */
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the answer may change the code. */
  readonly canEdit: boolean;
  readonly textOf: (line: number) => string;
}

/** A diagnostic reported on a line. */
export interface Diagnostic {
  readonly line: number;
  readonly severity: string;
  readonly message: string;
}
