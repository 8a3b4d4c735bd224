import type { LineChange } from "../text/diffLines.ts";
import type { LineRange } from "../text/lineRange.ts";

/** The longest answer that is read, in characters. VS Code shows 100,000, and nothing else is applied. */
export const longestAnswer = 200_000;

/** What an answer changes, and why the rest of it cannot be applied. */
export interface Resolution {
  readonly changes: readonly FileChange[];
  readonly problems: readonly EditProblem[];
}

export interface FileChange {
  /** Path relative to the workspace, with "/". */
  readonly path: string;
  readonly kind: "update" | "create" | "delete" | "rename";
  readonly newPath?: string;
  /** The whole new text; empty for a deleted file. */
  readonly text: string;
  /** The changed lines, in the order of the file. None overlap. */
  readonly hunks: readonly PlacedEdit[];
}

/** Lines of a file, from zero, and the lines that replace them. */
export interface LineEdit extends LineRange {
  readonly lines: readonly string[];
}

export interface PlacedEdit extends LineEdit {
  /** What had to be ignored to find the place. */
  readonly match: Match;
}

/** How well the old lines match the file: as they are, or apart from blanks or their common indentation. */
export type Match = "exact" | "whitespace" | "indentation" | "similar";

/** The lines that a question was about. */
export interface AskedLines extends LineRange {
  readonly path: string;
}

/** An edit that is not applied. `line` is the line of the answer where it starts, from zero. */
export interface EditProblem {
  readonly kind: EditProblemKind;
  readonly path?: string;
  readonly line?: number;
}

/** Why an edit is not applied. */
export type EditProblemKind =
  | "cutOff" // the answer ends early; nothing of it is applied
  | "tooLong" // the edit is beyond the part of the answer that VS Code shows; nothing is applied
  | "several" // more than one block replaces the lines in question
  | "noTarget" // a block replaces lines, but the question was not about any
  | "fence" // a fence is too short for the code in it and may end early
  | "html" // inside HTML, where Markdown renders no text
  | "unseen" // it has invisible characters that the code did not have
  | "malformed" // it breaks the rules of its format
  | "notFound" // the old lines are not in the file
  | "ambiguous" // the old lines are in several places
  | "ellipsis" // the old lines are abbreviated
  | "masked" // a new line has the placeholder of a secret
  | "omission" // a comment stands for code that is left out of the new lines
  | "overlap" // two edits change the same lines or the same file
  | "alreadyApplied" // the new lines are already there
  | "noChange" // old and new lines are the same
  | "outside" // the path leads out of the workspace
  | "unknownFile" // a file that is not there cannot be changed
  | "exists" // a file that is there cannot be created
  | "tooComplex"; // finding the place would take too long

/** Old lines and what replaces them, as an answer gives them. Both include unchanged lines around the change. */
export interface Hunk {
  readonly old: readonly string[];
  readonly lines: readonly string[];
  /** The changes that the answer marks. Without them, the old and new lines are compared. */
  readonly marked?: readonly LineChange[];
  /** The old lines where the blank that marks context is none, but the code's. */
  readonly unmarked?: readonly string[];
  /** Text of the `@@` lines: lines that are above the place. */
  readonly anchors: readonly string[];
  /** Whether the old lines end the file. */
  readonly isAtEnd: boolean;
}

/** The lines of a block, and what tells whether it may have ended early. */
export interface Block {
  readonly lines: readonly string[];
  readonly fence: number;
  /** Whether a block without an info string follows, which may be the rest of this one. */
  readonly isBeforeBareBlock: boolean;
}

/** One edit of an answer. `line` is where it starts in the answer, from zero; paths are as written. */
export type Operation = { readonly line: number } & (
  | { readonly type: "hunk"; readonly path: string | undefined; readonly hunk: Hunk }
  | { readonly type: "replace"; readonly block: Block }
  | { readonly type: "wholeFile"; readonly path: string; readonly block: Block }
  | { readonly type: "create"; readonly path: string; readonly lines: readonly string[] }
  | { readonly type: "delete"; readonly path: string }
  | { readonly type: "rename"; readonly path: string; readonly newPath: string }
  | { readonly type: "problem"; readonly kind: EditProblemKind; readonly path: string | undefined }
);

export type OperationOf<T extends Operation["type"]> = Extract<Operation, { readonly type: T }>;
