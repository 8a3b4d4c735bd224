import type { LineChange } from "../text/diffLines.ts";
import type { LineRange } from "../text/lineRange.ts";

/** Maximum length of an answer, in characters. VS Code shows 100,000, and only what is shown is applied. */
export const maxAnswerLength = 200_000;

/** The changes of an answer, and the problems of the edits that are not applied. */
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
  /** How its old lines match the file. */
  readonly match: Match;
}

/**
 * How old lines match the file: exactly, or except for whitespace, or except for their common indentation. Lines that are only
 * "similar" are pointed out, but not replaced.
 */
export type Match = "exact" | "whitespace" | "indentation" | "similar";

/** The lines that a question is about. */
export interface TargetLines extends LineRange {
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
  | "several" // more than one block replaces the target lines
  | "noTarget" // a block replaces lines, but there are no target lines
  | "fence" // the fence of a block is too short for the code in it, which may end it
  | "html" // inside HTML, where Markdown shows no text
  | "unseen" // it has invisible characters that the code does not have
  | "malformed" // it violates its format
  | "notFound" // the old lines are not in the file
  | "ambiguous" // the old lines are in several places
  | "ellipsis" // the old lines are abbreviated
  | "masked" // a new line has the placeholder of a secret
  | "omission" // a comment in the new lines stands for omitted code
  | "overlap" // two edits change the same lines or the same file
  | "alreadyApplied" // the file has the new lines already
  | "noChange" // old and new lines are equal
  | "outside" // the path leads out of the workspace
  | "unknownFile" // the file to change does not exist
  | "exists" // the file to create exists
  | "tooComplex"; // finding the place would take too long

/** Old lines and the new lines that replace them, as in the answer. Both include the context of the change. */
export interface Hunk {
  readonly old: readonly string[];
  readonly lines: readonly string[];
  /** The changes that are marked with "-" and "+". Without marks, the old and new lines are compared. */
  readonly marked?: readonly LineChange[];
  /** The texts after `@@`: lines above the place. */
  readonly anchors: readonly string[];
  /** Whether the old lines end the file. */
  readonly isAtEnd: boolean;
}

/** The lines of a block, and the fence that ends it; `undefined` if those in its lines pair up. */
export interface Block {
  readonly lines: readonly string[];
  readonly fence: string | undefined;
  /** Whether the next block has no info string, and may be the rest of this one. */
  readonly isBeforeBareBlock: boolean;
}

/** One edit of an answer. `line` is where it starts in the answer, from zero; paths are as written. */
export type Operation = { readonly line: number } & (
  | { readonly type: "hunk"; readonly path: string | undefined; readonly hunk: Hunk }
  | { readonly type: "replace"; readonly path?: string; readonly block: Block }
  | { readonly type: "wholeFile"; readonly path: string; readonly block: Block }
  | { readonly type: "create"; readonly path: string; readonly lines: readonly string[] }
  | { readonly type: "delete"; readonly path: string }
  | { readonly type: "rename"; readonly path: string; readonly newPath: string }
  | { readonly type: "problem"; readonly kind: EditProblemKind; readonly path: string | undefined }
);

export type OperationOf<T extends Operation["type"]> = Extract<Operation, { readonly type: T }>;
