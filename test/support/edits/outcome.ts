import { resolveEdits } from "../../../src/edits/resolveEdits.ts";

/** The new texts of the files that an answer changes, and then the kinds of its problems. */
export function outcome(
  answer: string,
  files: Readonly<Record<string, string>> | ReadonlyMap<string, string>,
  asked?: Parameters<typeof resolveEdits>[2],
): readonly string[] {
  const texts = files instanceof Map ? files : new Map(Object.entries(files));
  const { changes, problems } = resolveEdits(answer, texts, asked);
  return [...changes.map(({ text }) => text), ...problems.map(({ kind }) => kind)];
}
