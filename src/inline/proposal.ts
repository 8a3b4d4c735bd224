import type { LineHunk } from "./hunks/lineHunks.ts";
import { maskFiles, unmask } from "../edits/change/maskedFiles.ts";
import type { Operation } from "../edits/read/operations.ts";
import { readEdits } from "../edits/read/readEdits.ts";
import { type EditProblem, type EditProblemKind, resolveReading } from "../edits/resolveEdits.ts";
import { onlyBlock } from "./editBlock.ts";
import { exactHunks } from "./hunks/exactHunks.ts";
import type { LineRange } from "../text/lineRange.ts";

/** The document that an answer may change. */
export interface EditSubject {
  /** The path by which prompt and answer name the document. */
  readonly path: string;
  readonly lines: readonly string[];
  /** The lines in question. */
  readonly asked: LineRange;
  /** Whether these are only where the cursor was, so that no block may replace them as a whole. */
  readonly isCursor: boolean;
}

/** Lines that an answer replaces, with the lines that are there now. */
export interface ProposedHunk extends LineHunk {
  readonly before: readonly string[];
}

/** Why an edit, or a part of an answer's edits, cannot be applied. */
export interface ProposalProblem extends Omit<EditProblem, "kind"> {
  readonly kind: EditProblemKind | "otherFile"; // inline chat changes only the document of its thread
}

/** What an answer proposes. `code` is its only block, to copy or to insert elsewhere. */
export type AnswerEdit =
  | { readonly type: "none"; readonly code: readonly string[] | undefined }
  | {
      readonly type: "change";
      readonly hunks: readonly ProposedHunk[];
      readonly code: readonly string[] | undefined;
      /** Whether a block replaces the lines in question as a whole. */
      readonly hasReplacement: boolean;
      /** What else the answer would change. */
      readonly problems: readonly ProposalProblem[];
      /** The lines of the answer that are edits. */
      readonly ranges: readonly LineRange[];
    }
  | {
      readonly type: "problem";
      readonly problems: readonly ProposalProblem[];
      /** The edits as the answer gives them. */
      readonly operations: readonly Operation[];
      readonly ranges: readonly LineRange[];
    };

/**
 * Finds what an answer that has ended changes in a document. Has no dependency on VS Code. A file as a whole that cannot
 * be applied counts as an example, not as an edit.
 */
export function propose(answer: string, subject: EditSubject): AnswerEdit {
  const { path, lines, asked, isCursor } = subject;
  const files = new Map([[path, lines.join("\n")]]);
  const masked = maskFiles(files);
  const reading = readEdits(answer, masked);
  const { operations, ranges } = reading;
  const refused = (found: readonly ProposalProblem[]): AnswerEdit => ({
    type: "problem",
    problems: found,
    operations,
    ranges,
  });
  const hasReplacement = operations.some(({ type }) => type === "replace");
  if (isCursor && hasReplacement) return refused([{ kind: "noTarget", path }]);
  const { changes, problems } = unmask(resolveReading(reading, masked, { path, ...asked }), files);
  const own = changes.find((change) => change.path === path && change.kind === "update");
  const others = changes
    .filter((change) => change !== own)
    .map((change): ProposalProblem => ({ kind: "otherFile", path: change.path }));
  const code = onlyBlock(answer);
  if (!own) {
    const isExample = others.length === 0 && operations.every(({ type }) => type === "wholeFile");
    if (isExample || problems.length + others.length === 0) return { type: "none", code };
    return refused([...problems, ...others]);
  }
  const reader = { lineCount: lines.length, lineAt: (line: number) => ({ text: lines[line] ?? "" }) };
  const hunks = exactHunks(reader, own.hunks);
  if (!hunks || hunks.length === 0) return refused([{ kind: hunks ? "noChange" : "overlap", path }]);
  return {
    type: "change",
    hunks: hunks.map((hunk) => ({ ...hunk, before: lines.slice(hunk.start, hunk.end) })),
    code: hasReplacement ? code : undefined,
    hasReplacement,
    problems: [...problems, ...others],
    ranges,
  };
}

/** Whether two proposals replace the same lines with the same lines, wherever these are now. */
export function isSameChange(one: readonly ProposedHunk[], other: readonly ProposedHunk[]): boolean {
  const isSame = (texts: readonly string[], others: readonly string[]): boolean =>
    texts.length === others.length && texts.every((text, index) => text === others[index]);
  return (
    one.length === other.length &&
    one.every(({ before, lines }, index) => {
      const hunk = other[index];
      return hunk !== undefined && isSame(before, hunk.before) && isSame(lines, hunk.lines);
    })
  );
}

/** The lines of a document once hunks are applied. */
export function withHunks(lines: readonly string[], hunks: readonly LineHunk[]): readonly string[] {
  const texts: (readonly string[])[] = [];
  let next = 0;
  for (const { start, end, lines: added } of hunks) {
    texts.push(lines.slice(next, start), added);
    next = end;
  }
  return [...texts, lines.slice(next)].flat();
}

/** Where lines are once hunks are applied. What is inserted beside them counts as theirs. */
export function linesAfter({ start, end }: LineRange, hunks: readonly LineHunk[]): LineRange {
  const grown = (ones: readonly LineHunk[]): number =>
    ones.reduce((sum, hunk) => sum + hunk.lines.length - (hunk.end - hunk.start), 0);
  const above = grown(hunks.filter((hunk) => hunk.end <= start && hunk.start < start));
  const inside = grown(hunks.filter((hunk) => hunk.start >= start && hunk.end <= end));
  return { start: start + above, end: end + above + inside };
}
