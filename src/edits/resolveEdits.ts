import { type ReadOperations, readOperations } from "./readOperations.ts";
import { Resolver } from "./resolver.ts";
import type { AskedLines, Resolution } from "./types.ts";

export type { AskedLines, ChangedLines, EditProblem, EditProblemKind, TextChange, Resolution } from "./types.ts";

/**
 * Finds what an answer changes in `files`, which are texts by path. Reads `replace` blocks, SEARCH/REPLACE blocks,
 * patches in OpenAI's format, unified diffs and whole files, whatever was asked for. `asked` are the lines that the
 * answer is about, from zero, `end` excluded; a `replace` block takes their place.
 *
 * An edit is applied only at the one place where its old lines are for certain; all others are problems. A file with a
 * problem is not changed at all, and of an answer that is cut off, or too long to be shown, nothing is applied.
 */
export function resolveEdits(answer: string, files: ReadonlyMap<string, string>, asked?: AskedLines): Resolution {
  return resolveOperations(readOperations(answer, files), files, asked);
}

/** The same for edits that were read before. */
export function resolveOperations(
  { operations, broken }: Pick<ReadOperations, "operations" | "broken">,
  files: ReadonlyMap<string, string>,
  asked?: AskedLines,
): Resolution {
  if (broken) return { changes: [], problems: [broken] };
  const resolver = new Resolver(files, asked);
  resolver.add(operations);
  return resolver.finish();
}
