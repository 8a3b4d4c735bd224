import type { AskedLines } from "../../../src/edits/types.ts";
import type { Draft, Expectation, Row } from "./draft.ts";
import { fileText, type RealEdit } from "./edit.ts";
import type { Random } from "./random.ts";
import { writeAnswer } from "./writeAnswer.ts";

/** An answer, the files it meets, and what must come of it. */
export interface Case {
  readonly answer: string;
  readonly files: ReadonlyMap<string, string>;
  readonly asked?: AskedLines | undefined;
  readonly edit: RealEdit;
  readonly expectation: Expectation;
}

/** The case of an answer, which is written here unless a damage has done it. */
export function caseOf(draft: Draft, random: Random): Case {
  const { edit, asked, format, chunks, answer = writeAnswer(draft, random) } = draft;
  const rows = chunks.flatMap((chunk) => chunk.rows);
  const { expectation = isClear(format, rows) ? "lands" : "mayLand" } = draft;
  const files = new Map([...decoys(edit), [edit.path, fileText(edit.lines, edit.form)]]);
  return { answer, files, asked: asked && { path: edit.path, ...asked }, edit, expectation };
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
