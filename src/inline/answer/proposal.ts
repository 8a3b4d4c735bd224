import { basename } from "node:path/posix";
import { asWritten, resolveMasked, type Restore } from "../../edits/resolveEdits.ts";
import type { LineEdit, Operation } from "../../edits/types.ts";
import { type EditReading, readEdits } from "../../edits/read/readEdits.ts";
import { mergedEdits, repairPrompt } from "../../edits/repairPrompt.ts";
import type { EditProblem, EditProblemKind } from "../../edits/resolveEdits.ts";
import { lineHunks } from "../../text/lineHunks.ts";
import type { LineRange } from "../../text/lineRange.ts";
import { splitLines } from "../../text/lines.ts";
import { onlyBlock, type ProposedHunk } from "./shownAnswer.ts";

/** The content of an answer, independent of the current document. */
export interface AnswerReading extends EditReading {
  readonly text: string;
  /** The only block of the answer, to copy or to insert elsewhere. */
  readonly code: readonly string[] | undefined;
  /** Whether a block replaces the target lines as a whole. */
  readonly hasReplacement: boolean;
  /** Puts values back in place of their placeholders. */
  readonly restore: Restore;
}

/** The document that an answer may change. */
export interface EditSubject {
  /** The path by which prompt and answer name the document. */
  readonly path: string;
  readonly lines: readonly string[];
  /** The target lines. */
  readonly target: LineRange;
  /** Whether these are only the line of the cursor, so that no block may replace them as a whole. */
  readonly isCursor: boolean;
}

/** Why an edit, or a part of an answer's edits, cannot be applied. */
export interface Misfit extends Omit<EditProblem, "kind"> {
  readonly kind: EditProblemKind | "otherFile"; // inline chat changes only the document of its thread
}

/** What an answer changes in a document, and the edits that cannot be applied. An answer without edits has neither. */
export interface AnswerEdit {
  readonly hunks: readonly ProposedHunk[];
  readonly misfits: readonly Misfit[];
}

/**
 * Reads an answer that has ended, about the file with this path. By default, it is one without placeholders. Has no dependency
 * on VS Code.
 */
export function readAnswer(text: string, path: string, restore = asWritten): AnswerReading {
  const reading = readEdits(text, new Map([[path, ""]]));
  return { ...reading, text, code: onlyBlock(text), hasReplacement: hasReplacement(reading.operations), restore };
}

function hasReplacement(operations: readonly Operation[]): boolean {
  return operations.some(({ type }) => type === "replace");
}

/** A second answer with the edits of the first that fit. If it has no edits, it stays as it is. */
export function mergedAnswer(
  second: AnswerReading,
  { reading, misfits }: { readonly reading: AnswerReading; readonly misfits: readonly Misfit[] },
): AnswerReading {
  if (second.operations.length === 0) return second;
  const operations = mergedEdits(second.operations, reading.operations, misfits);
  const { code } = second.hasReplacement ? second : reading;
  const text = `${reading.text}\n\n${second.text}`;
  return { ...second, text, operations, code, hasReplacement: hasReplacement(operations) };
}

/** Code as if it was marked as the replacement of the target lines. */
export function replacementBy(code: readonly string[], restore = asWritten): AnswerReading {
  const block = { lines: code, fence: undefined, isBeforeBareBlock: false };
  const operations = [{ type: "replace", block, line: 0 }] as const;
  return { text: "", code, hasReplacement: true, operations, ranges: [], truncation: undefined, restore };
}

/** Finds what an answer changes in a document. A whole file that cannot be applied counts as an example. */
export function propose(reading: AnswerReading, { path, lines, target, isCursor }: EditSubject): AnswerEdit {
  if (isCursor && reading.hasReplacement) return { hunks: [], misfits: [{ kind: "noTarget", path }] };
  const files = new Map([[path, lines.join("\n")]]);
  // The lines of other files are unknown here, and are no reason to leave this one as it is.
  const ofOthers = reading.operations.filter((operation) => isElsewhere(operation, path));
  const operations = reading.operations.filter((operation) => !isElsewhere(operation, path));
  const { changes, problems } = resolveMasked({ ...reading, operations }, files, reading.restore, { path, ...target });
  const own = changes.find((change) => change.path === path && change.kind === "update");
  const paths = [...ofOthers, ...changes.filter((change) => change !== own)].map((other) => other.path ?? path);
  const others = [...new Set(paths)].map((other): Misfit => ({ kind: "otherFile", path: other }));
  const misfits = [...problems, ...others];
  if (!own) {
    const isExample = others.length === 0 && reading.operations.every(({ type }) => type === "wholeFile");
    return { hunks: [], misfits: isExample ? [] : misfits };
  }
  const hunks = exactHunks(lines, own.hunks);
  return { hunks, misfits: hunks.length > 0 ? misfits : [{ kind: "noChange", path }] };
}

/** Whether an operation is about a file with another name. */
function isElsewhere({ type, path = "" }: Operation, own: string): boolean {
  return type !== "replace" && type !== "problem" && path !== "" && basename(path) !== basename(own);
}

/** Only the lines that differ, from top to bottom; hunks that touch become one. No new line contains a line break. */
export function exactHunks(all: readonly string[], edits: readonly LineEdit[]): readonly ProposedHunk[] {
  const hunks: ProposedHunk[] = [];
  for (const edit of edits) {
    const added = edit.lines.flatMap(splitLines);
    for (const part of lineHunks(all.slice(edit.start, edit.end), added)) {
      const last = hunks.at(-1);
      const touches = last?.end === edit.start + part.start;
      const start = touches ? last.start : edit.start + part.start;
      const end = edit.start + part.end;
      const lines = [...(touches ? last.lines : []), ...added.slice(part.newStart, part.newEnd)];
      hunks.splice(touches ? -1 : hunks.length, 1, { start, end, lines, before: all.slice(start, end) });
    }
  }
  return hunks;
}

/** Whether two proposals replace the same lines with the same lines, at any position. */
export function isSameChange(one: readonly ProposedHunk[], other: readonly ProposedHunk[]): boolean {
  const texts = (hunks: readonly ProposedHunk[]): string =>
    JSON.stringify(hunks.map(({ before, lines }) => [before, lines]));
  return texts(one) === texts(other);
}

/** Edits that change another file than that of the thread. A second request does not help with them. */
const elsewhere: ReadonlySet<Misfit["kind"]> = new Set(["otherFile", "unknownFile", "exists"]);

/**
 * The prompt of a second request for edits that do not fit. Quotes only what the question has `shown`, by path. `undefined`
 * if it would not help.
 */
export function repairPromptFor(
  { operations, restore }: Pick<AnswerReading, "operations" | "restore">,
  shown: ReadonlyMap<string, string>,
  misfits: readonly Misfit[],
): string | undefined {
  const here = misfits.filter((misfit): misfit is EditProblem => !elsewhere.has(misfit.kind));
  return here.length < misfits.length ? undefined : repairPrompt(operations, shown, here, restore);
}
