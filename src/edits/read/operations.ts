import type { LineChange } from "../../text/diffLines.ts";
import type { EditProblemKind } from "../types.ts";

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

/** The operations of one type. */
export type OperationOf<T extends Operation["type"]> = Extract<Operation, { readonly type: T }>;
