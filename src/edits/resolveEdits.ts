import { Resolver } from "./change/resolver.ts";
import { type EditReading, readEdits } from "./read/readEdits.ts";
import type { AskedLines, Resolution } from "./types.ts";

export type { AskedLines, EditProblem, EditProblemKind, FileChange, Resolution } from "./types.ts";

/**
 * Finds what an answer changes in `files`, which are texts by path. Reads `replace` blocks, SEARCH/REPLACE blocks,
 * patches in OpenAI's format, unified diffs and whole files, whatever was asked for. `asked` are the lines that the
 * answer is about, from zero, `end` excluded; a `replace` block takes their place.
 *
 * An edit is applied only at the one place where its old lines are for certain; all others are problems. A file with a
 * problem is not changed at all, and of an answer that is cut off, or too long to be shown, nothing is applied.
 */
export function resolveEdits(answer: string, files: ReadonlyMap<string, string>, asked?: AskedLines): Resolution {
  return resolveReading(readEdits(answer, files), files, asked);
}

/** The same for an answer that was read before. */
export function resolveReading(
  { operations, broken }: Pick<EditReading, "operations" | "broken">,
  files: ReadonlyMap<string, string>,
  asked?: AskedLines,
): Resolution {
  return broken ? { changes: [], problems: [broken] } : new Resolver(files, asked).resolve(operations);
}
