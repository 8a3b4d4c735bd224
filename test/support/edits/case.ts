import type { AskedLines } from "../../../src/edits/types.ts";
import type { LineRange } from "../../../src/text/lineRange.ts";
import { chunkOf, type Draft, type Row } from "./draft.ts";
import { fileText, type RealEdit } from "./edit.ts";
import type { Random } from "./random.ts";
import { writeAnswer } from "./writeAnswer.ts";

/** What a careful person would do with an answer: apply it, ask back, or either. */
export type Expectation = "lands" | "mayLand" | "refused";

/** An answer, the files it meets, and what must come of it. */
export interface Case {
  readonly answer: string;
  readonly files: ReadonlyMap<string, string>;
  readonly asked?: AskedLines | undefined;
  readonly edit: RealEdit;
  readonly expectation: Expectation;
}

/** The case of an answer to which nothing more happens. */
export function caseOf(draft: Draft, random: Random, change: Partial<Case> = {}): Case {
  return writtenCase(draft, writeAnswer(draft, random), change);
}

/** The case of an answer that is written already. */
export function writtenCase({ edit, asked, format, chunks }: Draft, answer: string, change: Partial<Case>): Case {
  const rows = chunks.flatMap((chunk) => chunk.rows);
  const expectation = isClear(format, rows) ? "lands" : "mayLand";
  const files = new Map([...decoys(edit), [edit.path, fileText(edit.lines, edit.form)]]);
  return { answer, files, asked: asked && { path: edit.path, ...asked }, edit, expectation, ...change };
}

/** Whether the marks of the format, and the Markdown around it, say for every line what it is. */
function isClear(format: Draft["format"], rows: readonly Row[]): boolean {
  const hasRow = (pattern: RegExp): boolean => rows.some(({ text }) => pattern.test(text));
  if (format === "searchReplace") return !hasRow(/^(<{5,}|={5,}|>{5,})/);
  if (format === "diff") return !rows.some(({ mark, text }) => /^(---? |\+\+\+? )/.test(mark + text));
  // Outside a fence, comments and link definitions are invisible, and a line like a fence starts a block.
  return format !== "patch" || !hasRow(/<!--|^\s*\[[^\]]+\]:|^\s*(`{3,}|~{3,})/);
}

/** Other files of the workspace: one like the edited file, and one of the same name elsewhere. */
function decoys({ path, lines, form }: RealEdit): readonly (readonly [string, string])[] {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return [
    [`copies/of/${path}`, fileText(lines, form)],
    [`other-${name}`, "nothing to see here\n"],
  ];
}

/** The chunks anew after the file or the edit changed. */
export function chunksAgain(edit: RealEdit, ranges: readonly LineRange[]): Draft["chunks"] {
  return ranges.map(({ start, end }) => chunkOf(edit, start, end));
}
