import type { LineChange } from "../../text/diffLines.ts";
import type { EditProblemKind } from "../types.ts";

/** An old line of a hunk. */
export interface OldLine {
  readonly text: string;
  /** The line as written, if the blank that marks context may in fact belong to the code. */
  readonly unstripped?: string;
  /** Whether the answer marks it as removed. In SEARCH blocks, no line is marked. */
  readonly isRemoved?: boolean;
}

/** Old lines and what replaces them, as an answer gives them. Both include unchanged lines around the change. */
export interface Hunk {
  readonly old: readonly OldLine[];
  readonly lines: readonly string[];
  /** The changes that the answer marks. Without them, the old and new lines are compared. */
  readonly marked?: readonly LineChange[];
  /** Text of the `@@` lines: lines that are above the place. */
  readonly anchors: readonly string[];
  /** Whether the old lines end the file. */
  readonly isAtEnd: boolean;
}

/** What tells whether a block may have ended early. */
export interface BlockFacts {
  readonly fence: number;
  /** Whether a block without an info string follows, which may be the rest of this one. */
  readonly isBeforeBareBlock: boolean;
}

/** One edit of an answer. `line` is where it starts in the answer, from zero; paths are as written. */
export type Operation = { readonly line: number } & (
  | {
      readonly type: "hunk";
      readonly path: string | undefined;
      readonly hunk: Hunk;
      /** Whether it is outside a fenced block, where Markdown hides HTML comments. */
      readonly isPlain: boolean;
    }
  | { readonly type: "replace"; readonly lines: readonly string[]; readonly block: BlockFacts }
  | {
      readonly type: "wholeFile";
      readonly path: string;
      readonly lines: readonly string[];
      readonly block: BlockFacts;
    }
  | { readonly type: "create"; readonly path: string; readonly lines: readonly string[] }
  | { readonly type: "delete"; readonly path: string }
  | { readonly type: "rename"; readonly path: string; readonly newPath: string }
  | { readonly type: "problem"; readonly kind: EditProblemKind; readonly path: string | undefined }
);

/** The operations of one type. */
export type OperationOf<T extends Operation["type"]> = Extract<Operation, { readonly type: T }>;
