import type { TextDocument } from "vscode";
import type { LineRange } from "../text/lineRange.ts";

/** How the lines of a question were chosen. An empty document counts as a symbol. */
export type TargetScope = "selection" | "symbol" | "cursor";

/** The code of a conversation. */
export interface CodeTarget {
  readonly document: TextDocument;
  readonly lines: LineRange;
  readonly scope: TargetScope;
  /** The selected text, if it is only a part of the lines. */
  readonly selected: string | undefined;
  readonly canEdit: boolean;
}

/** A question: the text its thread shows, and the prompt for the model. */
export interface Question {
  readonly shown: string;
  readonly prompt: string;
  /** Called when a change of the answer is applied, and when it is undone as a whole. */
  readonly applied?: (isApplied: boolean) => void;
}
